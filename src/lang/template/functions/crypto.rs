//! Keys, certificates, passwords, random texts: nothing that is the same twice, or that a checker need compute.
//!
//! Mirrors the signatures of sprig 3.3, crypto.go.

use super::{Function, Type};

use Type::{Int, List, String as Text};

const CERTIFICATE: Type = Type::Opaque("sprig.certificate");
const RANDOM: &str = "a random text";
const KEY: &str = "a generated key";
const PASSWORD: &str = "a derived password";

pub(super) const TABLE: &[Function] = &[
    Function::undecidable("bcrypt", &[Text], PASSWORD),
    Function::undecidable("buildCustomCert", &[Text, Text], KEY),
    Function::undecidable("decryptAES", &[Text, Text], "a decrypted text"),
    // The site's counter is a `uint32`, which no value of a template is, but a number written out fits.
    Function::undecidable("derivePassword", &[Type::Uint32, Text, Text, Text, Text], PASSWORD),
    Function::undecidable("encryptAES", &[Text, Text], "an encrypted text"),
    Function::undecidable("genCA", &[Text, Int], KEY),
    Function::undecidable("genCAWithKey", &[Text, Int, Text], KEY),
    Function::undecidable("genPrivateKey", &[Text], KEY),
    Function::undecidable("genSelfSignedCert", &[Text, List, List, Int], KEY),
    Function::undecidable("genSelfSignedCertWithKey", &[Text, List, List, Int, Text], KEY),
    Function::undecidable("genSignedCert", &[Text, List, List, Int, CERTIFICATE], KEY),
    Function::undecidable("genSignedCertWithKey", &[Text, List, List, Int, CERTIFICATE, Text], KEY),
    Function::undecidable("htpasswd", &[Text, Text], PASSWORD),
    Function::undecidable("randAlpha", &[Int], RANDOM),
    Function::undecidable("randAlphaNum", &[Int], RANDOM),
    Function::undecidable("randAscii", &[Int], RANDOM),
    Function::undecidable("randBytes", &[Int], RANDOM),
    Function::undecidable("randNumeric", &[Int], RANDOM),
    Function::undecidable("shuffle", &[Text], RANDOM),
    Function::undecidable("uuidv4", &[], RANDOM),
];
