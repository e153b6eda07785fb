/**
 * Two certificates for `mx.test`, each signed with its own key: one that runs to 2120, one that ran out in 2020. The key is
 * public, as everything here, and good for nothing else. Node cannot make certificates, and packages that do would be
 * installed with every adapter.
 *
 * Made with `openssl ecparam -name prime256v1 -genkey`, `openssl req -new -subj /CN=mx.test` and `openssl ca -selfsign`.
 */
const pem = (label: string, base64: string) => `-----BEGIN ${label}-----\n${base64}\n-----END ${label}-----\n`

export const key = pem(
  "PRIVATE KEY",
  `MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgGGUNVEZE7vgAi5AJ
WDeXpZw7HcmBMwhQHYGm+4VFnj+hRANCAAQz7PV81sEOFei/ei4ct6ZlfDpnWSpJ
Z1VM4HUNLEsJ6b6vaFlGN9Y+iHuwaEfebb40cpmM7/k+ub6hbN/QiPDg`
)

export const certificates: Readonly<Record<"self_signed" | "expired", string>> = {
  self_signed: pem(
    "CERTIFICATE",
    `MIIBDDCBtAIBATAKBggqhkjOPQQDAjASMRAwDgYDVQQDDAdteC50ZXN0MCAXDTIw
MDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjASMRAwDgYDVQQDDAdteC50ZXN0
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEM+z1fNbBDhXov3ouHLemZXw6Z1kq
SWdVTOB1DSxLCem+r2hZRjfWPoh7sGhH3m2+NHKZjO/5Prm+oWzf0Ijw4DAKBggq
hkjOPQQDAgNHADBEAiBG2xOlrCS3y0QcFcR5PwBrDv0j+K7qz/MizsXok9JViwIg
EIlkhFN6/t3glzqo73g1NzGGFxbyQLRX1GUazV1p1sY=`
  ),
  expired: pem(
    "CERTIFICATE",
    `MIIBCjCBsgIBATAKBggqhkjOPQQDAjASMRAwDgYDVQQDDAdteC50ZXN0MB4XDTIw
MDEwMTAwMDAwMFoXDTIwMDIwMTAwMDAwMFowEjEQMA4GA1UEAwwHbXgudGVzdDBZ
MBMGByqGSM49AgEGCCqGSM49AwEHA0IABDPs9XzWwQ4V6L96Lhy3pmV8OmdZKkln
VUzgdQ0sSwnpvq9oWUY31j6Ie7BoR95tvjRymYzv+T65vqFs39CI8OAwCgYIKoZI
zj0EAwIDRwAwRAIgOXGgG7I9ZWrAw0xD3nDw77R/8dPysuXtTLharhXfTbMCIHTW
ivX38FTmJYbC/8a6FLD1qihyNSKGfgbWj1+IkuSV`
  )
}
