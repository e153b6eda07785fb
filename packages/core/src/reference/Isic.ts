/**
 * The upper two levels of the International Standard Industrial Classification, revision 4: sections (a letter) and
 * divisions (two digits), in short words of our own. The numbers are the standard's.
 *
 * Gotcha: numbers are left out between sections (there is no 04, 34, 40, 44, 48, 54, 57, 67, 76, 83, 89).
 */

/** A line: the section's letter and name, then its divisions, each `number name`; after `=` what sources also call it. */
export const table = `A Agriculture, forestry and fishing = agriculture
01 Crops, livestock and hunting = crop and animal production
02 Forestry and logging = forestry; logging
03 Fishing and aquaculture = aquaculture
B Mining and quarrying
05 Coal mining = coal; mining of coal and lignite
06 Oil and gas extraction = extraction of crude petroleum and natural gas; oil and gas exploration and production
07 Metal ore mining = mining of metal ores
08 Other mining and quarrying = quarrying; nonmetallic mineral mining
09 Mining support = mining support service activities; oil and gas equipment and services; oil and gas drilling
C Manufacturing = industrials; manufacture; industrial conglomerates
10 Manufacture of food = food manufacturing; manufacture of food products
11 Manufacture of drinks = beverages; beverage manufacturing; manufacture of beverages; soft drinks; brewers
12 Manufacture of tobacco = manufacture of tobacco products
13 Manufacture of textiles
14 Manufacture of clothing = manufacture of wearing apparel
15 Manufacture of leather and footwear = manufacture of leather and related products
16 Manufacture of wood products = manufacture of wood
17 Manufacture of paper = manufacture of paper and paper products
18 Printing and copying of recordings = printing and reproduction of recorded media
19 Refined petroleum and coke = petroleum refining; manufacture of coke and refined petroleum products; oil and coal product manufacturing; oil and gas refining and marketing
20 Manufacture of chemicals = manufacture of chemicals and chemical products
21 Manufacture of medicines = manufacture of pharmaceuticals
22 Manufacture of rubber and plastics = manufacture of rubber and plastics products; rubber and plastics
23 Manufacture of mineral products = manufacture of other non-metallic mineral products; nonmetallic mineral product manufacturing
24 Manufacture of basic metals = primary metal manufacturing
25 Manufacture of metal goods = manufacture of fabricated metal products
26 Manufacture of computers and electronics = manufacture of computer, electronic and optical products; computer and electronic product manufacturing; technology hardware and equipment; electronic equipment, instruments and components
27 Manufacture of electrical equipment = electrical equipment; electrical components and equipment
28 Manufacture of machinery = manufacture of machinery and equipment
29 Manufacture of motor vehicles = manufacture of motor vehicles, trailers and semi-trailers
30 Manufacture of other transport equipment = transportation equipment manufacturing
31 Manufacture of furniture
32 Other manufacturing = miscellaneous manufacturing
33 Repair and installation of machinery = repair and installation of machinery and equipment; repair and maintenance
D Electricity, gas, steam and air conditioning
35 Electricity, gas and heat supply = electricity; electricity, gas, steam and air conditioning supply; electric utilities; gas utilities; multi utilities
E Water supply, sewerage and waste
36 Water supply = water utilities; water collection, treatment and supply
37 Sewerage
38 Waste collection and recovery = waste collection; waste collection, treatment and disposal activities
39 Remediation = remediation activities and other waste management services
F Building and civil works
41 Construction of buildings = building construction
42 Construction of roads, railways and utilities = heavy and civil engineering construction
43 Specialised construction = specialty trade contractors; specialized construction activities; building finishing contractors
G Wholesale and retail trade = trade; wholesale and retail trade, repair of motor vehicles and motorcycles
45 Trade in and repair of motor vehicles = motor vehicle trade; car dealers; automotive retail; vehicle repair and maintenance
46 Wholesale trade = wholesale trade, except of motor vehicles; distributors; trading companies and distributors; trading
47 Retail trade = retail trade, except of motor vehicles; retailing; specialty retail; multiline retail
H Transport and storage = transportation and storage; transportation infrastructure
49 Land transport and pipelines = land transport; land transport and transport via pipelines
50 Water transport
51 Air transport
52 Warehousing and transport support = warehousing and support activities for transportation; cargo handling; marine ports and services; airport services
53 Post and couriers = postal and courier activities; postal services
I Hotels, restaurants and catering = accommodation and food service activities
55 Accommodation = accommodation services; accommodation and food services
56 Food and beverage service activities = catering; food service
J Information and communication = communication services; communications
58 Publishing of books and software = publishing activities
59 Film, video and music = movies and entertainment
60 Broadcasting = programming and broadcasting activities; broadcasting media
61 Telecommunication networks
62 Programming and information technology = information technology; computer programming, consultancy and related activities; it
63 Information service activities = data processing; data processing, hosting and related activities
K Finance and insurance = finance; financials; financial and insurance activities; diversified financials
64 Financial service activities
65 Insurance and pension funds = insurance, reinsurance and pension funding; reinsurance; pension funds
66 Support of finance and insurance = activities auxiliary to financial service and insurance activities; insurance agencies and brokerages; insurance brokers; financial exchanges and data
L Property
68 Property activities = real estate activities; real estate management and development; reits
M Professional, scientific and technical services = professional services; commercial and professional services
69 Law and accounting = legal and accounting activities
70 Head offices and management consultancy = activities of head offices; holding companies; head offices
71 Architecture, engineering and testing = engineering services; engineering; architecture, engineering; technical testing; testing laboratories
72 Scientific research and development = research and development; scientific research
73 Advertising and market research
74 Other professional services = other professional, scientific and technical activities
75 Veterinary activities
N Administrative and support services = business services; administrative and support service activities; office administration
77 Rental and leasing = leasing; equipment rental services; rental and leasing activities
78 Employment activities
79 Travel agencies = travel agencies and tour operators; tour operators
80 Security activities = security and investigation activities
81 Services to buildings and landscape = building services; cleaning services; janitorial services; landscaping services
82 Office support = office administrative, office support and other business support activities; business process outsourcing; call centers; call centres
O Public administration and defence = public administration; public administration and defence, compulsory social security; public sector
84 Government and public services = government; public services
P Education
85 Education and training = schools; training
Q Health and social work = health; human health and social work activities
86 Human health activities
87 Residential care = residential care activities; nursing homes and residential care facilities
88 Social work without accommodation = social work; social work activities
R Arts, entertainment and recreation = recreation
90 Creative arts = creative, arts and entertainment activities; artists and writers
91 Libraries, archives and museums = archives; zoos and botanical gardens
92 Betting = gambling and betting activities; lotteries
93 Sport and amusement = sports activities and amusement and recreation activities; amusement parks; amusement parks and arcades
S Other services = other service activities
94 Membership organisations = activities of membership organizations; professional organizations; industry associations; trade associations; associations
95 Repair of computers and household goods = repair of computers and personal and household goods
96 Personal services = other personal service activities; personal care services; laundry
T Households as employers = private households
97 Households with staff = household services
98 Households producing for themselves
U International organisations = extraterritorial organizations
99 Extraterritorial bodies = activities of extraterritorial organizations and bodies`
