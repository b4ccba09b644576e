use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<u32> = hex.chars().filter_map(|c| c.to_digit(16)).collect();
    digits
        .chunks(2)
        .map(|two| (two[0] * 16 + two[1]) as u8)
        .collect()
}

fn key(fill: u8, long: bool) -> StateKey {
    StateKey::new(&vec![fill; if long { 64 } else { 32 }]).unwrap()
}

#[test]
fn rfc_5297_a1() {
    let key =
        StateKey::from_hex("fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff")
            .unwrap();
    let ad = bytes("101112131415161718191a1b1c1d1e1f2021222324252627");
    let plain = bytes("112233445566778899aabbccddee");
    let sealed = bytes("85632d07c6e8f37f950acd320a2ecc93 40c02b9690c4dc04daef7f6afe5c");
    assert_eq!(key.encrypt(&[&ad], &plain).unwrap(), sealed);
    assert_eq!(key.decrypt(&[&ad], &sealed).unwrap(), plain);
    assert_eq!(key.decrypt(&[], &sealed), None);
}

#[test]
fn rfc_5297_a2() {
    let key =
        StateKey::from_hex("7F7E7D7C7B7A79787776757473727170404142434445464748494a4b4c4d4e4f")
            .unwrap();
    let first =
        bytes("00112233445566778899aabbccddeeff deaddadadeaddadaffeeddccbbaa9988 7766554433221100");
    let second = bytes("102030405060708090a0");
    let nonce = bytes("09f911029d74e35bd84156c5635688c0");
    let plain = b"this is some plaintext to encrypt using SIV-AES";
    let sealed = bytes(
        "7bdb6e3b432667eb06f4d14bff2fbd0f cb900f2fddbe404326601965c889bf17
         dba77ceb094fa663b7a3f748ba8af829 ea64ad544a272e9c485b62a3fd5c0d",
    );
    let aad: [&[u8]; 3] = [&first, &second, &nonce];
    assert_eq!(key.encrypt(&aad, plain).unwrap(), sealed);
    assert_eq!(key.decrypt(&aad, &sealed).unwrap(), plain);
}

/// NIST SP 800-38B, AES-256: the empty message and the one of 40 bytes.
#[test]
fn cmac_of_the_standard() {
    let key: [u8; 32] = bytes("603deb1015ca71be2b73aef0857d7781 1f352c073b6108d72d9810a30914dff4")
        .try_into()
        .unwrap();
    let mut mac = Mac::new(&key);
    assert_eq!(
        mac.of_text().to_vec(),
        bytes("028962f61b7bf89efc6b551f4667d983")
    );
    mac.text =
        bytes("6bc1bee22e409f96e93d7e117393172a ae2d8a571e03ac9c9eb76fac45af8e51 30c81c46a35ce411");
    assert_eq!(
        mac.of_text().to_vec(),
        bytes("aaf3d8f1de5640c232f5b169b9c911e6")
    );
}

#[test]
fn fields_do_not_run_together() {
    let mut mac = Mac::new(&[3; 32]);
    let mut of = |fields: &[&str]| {
        let fields: Vec<_> = fields.iter().map(|field| field.as_bytes()).collect();
        mac.of(b"", &fields)
    };
    let all = [
        of(&[]),
        of(&[""]),
        of(&["", ""]),
        of(&["ab"]),
        of(&["a", "b"]),
        of(&["b", "a"]),
        of(&["", "ab"]),
        of(&["ab", ""]),
    ];
    for (index, one) in all.iter().enumerate() {
        for other in &all[..index] {
            assert_ne!(one, other);
        }
    }
    assert_eq!(of(&["a", "b"]), of(&["a", "b"]));
}

#[test]
fn keys_of_other_lengths() {
    for length in [0, 16, 31, 33, 48, 63, 65, 128] {
        let error = StateKey::new(&vec![1; length]).unwrap_err();
        assert_eq!(error, KeyError::Length { recorded: length });
        assert_eq!(
            error.to_string(),
            format!("a state key needs 32 or 64 bytes; {length} recorded")
        );
    }
    let hex = |text: &str| StateKey::from_hex(text).unwrap_err();
    assert_eq!(hex(""), KeyError::Length { recorded: 0 });
    assert_eq!(hex("abc"), KeyError::Hex { at: 3 });
    assert_eq!(
        hex(&format!("{}\n", "0".repeat(64))),
        KeyError::Hex { at: 64 }
    );
    assert_eq!(
        hex(&format!("{}é", "0".repeat(62))),
        KeyError::Hex { at: 62 }
    );
}

#[test]
fn debug_shows_no_key() {
    let ring = KeyRing::new(key(0xab, true)).and(key(0xcd, false)).unwrap();
    let text = format!("{ring:?} {:?} {:?}", ring.first, ring.others);
    assert!(!text.contains("171") && !text.contains("ab") && !text.contains("205"));
}

#[test]
fn text_that_is_almost_right() {
    let ring = KeyRing::new(key(1, false));
    let aad: &[&[u8]] = &[b"a"];
    let text = seal(&ring, aad, b"hello");
    // 16 + 256 bytes are 362.67 sextets: the last one has four spare bits.
    assert_eq!(text.len(), 363);
    assert_eq!(open(&ring, aad, &text, 363).as_deref(), Some(&b"hello"[..]));
    assert_eq!(open(&ring, aad, &text, 362), None);
    assert_eq!(open(&ring, aad, &format!("{text}="), 999), None);
    assert_eq!(open(&ring, aad, &format!("{text}\n"), 999), None);
    assert_eq!(open(&ring, aad, "", 999), None);
    for last in b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/" {
        let other = format!("{}{}", &text[..362], char::from(*last));
        assert_eq!(open(&ring, aad, &other, 999).is_some(), other == text);
    }
    let parts: Vec<&[u8]> = vec![b"x"; 127];
    assert_eq!(seal(&ring, &parts, b"hello"), "");
}

#[test]
fn padding_is_checked() {
    let ring = KeyRing::new(key(1, false));
    let refused = |padded: &[u8]| {
        let text = URL_SAFE_NO_PAD.encode(ring.first.encrypt(&[], padded).unwrap());
        assert_eq!(open(&ring, &[], &text, 9999), None);
    };
    refused(b"");
    refused(&[0x80; 255]);
    refused(&[0; 256]);
    refused(&[1; 256]);
    let mut long = [0; 512];
    long[0] = 0x80;
    refused(&long);
}

fn parts() -> impl Strategy<Value = Vec<Vec<u8>>> {
    vec(vec(any::<u8>(), 0..20), 0..10)
}

fn slices(parts: &[Vec<u8>]) -> Vec<&[u8]> {
    parts.iter().map(Vec::as_slice).collect()
}

proptest! {
    #[test]
    fn every_key_of_the_ring_opens(
        aad in parts(), plain in vec(any::<u8>(), 0..800), long: bool, other: bool,
    ) {
        let aad = slices(&aad);
        let old = KeyRing::new(key(1, long));
        let new = KeyRing::new(key(2, other)).and(key(1, long)).unwrap();
        let text = seal(&old, &aad, &plain);
        prop_assert_eq!(&text, &seal(&old, &aad, &plain));
        prop_assert_eq!(open(&old, &aad, &text, text.len()), Some(plain.clone()));
        prop_assert_eq!(open(&new, &aad, &text, text.len()), Some(plain.clone()));
        let text = seal(&new, &aad, &plain);
        prop_assert_eq!(open(&new, &aad, &text, text.len()), Some(plain.clone()));
        prop_assert_eq!(open(&old, &aad, &text, text.len()), None);
    }

    #[test]
    fn nothing_else_opens(
        aad in parts(), plain in vec(any::<u8>(), 0..300), flip: prop::sample::Index,
        more in vec(any::<u8>(), 1..300), fewer: prop::sample::Index,
    ) {
        let ring = KeyRing::new(key(1, false));
        let text = seal(&ring, &slices(&aad), &plain);
        let sealed = URL_SAFE_NO_PAD.decode(&text).unwrap();
        let opens = |bytes: &[u8]| {
            open(&ring, &slices(&aad), &URL_SAFE_NO_PAD.encode(bytes), 9999).is_some()
        };
        prop_assert!(opens(&sealed));
        let bit = flip.index(sealed.len() * 8);
        let mut flipped = sealed.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        prop_assert!(!opens(&flipped));
        prop_assert!(!opens(&sealed[..fewer.index(sealed.len())]));
        prop_assert!(!opens(&[&sealed[..], &more].concat()));
        // One block more keeps the length plausible.
        prop_assert!(!opens(&[&sealed[..], &[0; 256]].concat()));
    }

    #[test]
    fn no_other_binding_opens(aad in parts(), other in parts(), at: prop::sample::Index) {
        let ring = KeyRing::new(key(1, true));
        let text = seal(&ring, &slices(&aad), b"plain");
        let opens = |aad: &[Vec<u8>]| open(&ring, &slices(aad), &text, 999).is_some();
        prop_assert_eq!(opens(&other), aad == other);
        let mut longer = aad.clone();
        longer.insert(at.index(aad.len() + 1), Vec::new());
        prop_assert!(!opens(&longer));
        if aad.len() > 1 {
            let mut joined = aad.clone();
            let moved = joined.remove(1);
            joined[0].extend(moved);
            prop_assert!(!opens(&joined));
        }
    }

    #[test]
    fn lengths_within_a_block_do_not_show(blocks in 0usize..4, a in 0usize..256, b in 0usize..256) {
        let ring = KeyRing::new(key(1, false));
        let length = |n: usize| seal(&ring, &[], &vec![7; blocks * 256 + n]).len();
        prop_assert_eq!(length(a), length(b));
    }
}
