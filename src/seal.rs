//! Sealing what a client carries for the server, and keyed fingerprints.
//!
//! The seal is AES-SIV (RFC 5297): deterministic, so equal inputs give equal
//! bytes, and misuse-resistant, so that determinism gives away nothing but
//! equality. Its associated data is a vector whose parts cannot run together.

use std::fmt;

use aes::Aes256Enc;
use aes_siv::KeyInit;
use aes_siv::siv::{Aes128Siv, Aes256Siv};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use cmac::{Cmac, Mac as _};

/// Plaintext is padded to a multiple of this many bytes.
const BLOCK: usize = 256;
/// The synthetic IV, which is also the tag.
const TAG: usize = 16;
/// The most keys in a ring.
const RING: usize = 16;

/// Why a key was refused. It never carries key material.
///
/// ```
/// use mcp_reprise::{KeyError, StateKey};
///
/// let error = StateKey::new(b"short").err();
/// assert_eq!(error, Some(KeyError::Length { recorded: 5 }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KeyError {
    /// The key is neither 32 nor 64 bytes long.
    #[error("a state key needs 32 or 64 bytes; {recorded} recorded")]
    Length {
        /// The length it has, in bytes.
        recorded: usize,
    },
    /// The text is not hexadecimal: an even number of digits and nothing else.
    #[error("not a hexadecimal digit at byte {at}")]
    Hex {
        /// Offset of what stands in a digit's place; the text's length when a
        /// digit is missing at its end.
        at: usize,
    },
    /// The ring already holds 16 keys.
    #[error("a key ring holds at most 16 keys")]
    RingFull,
}

/// A secret key that seals request state: 32 bytes for AES-128-SIV or 64 for
/// AES-256-SIV, from a cryptographically secure random number generator.
///
/// `Debug` does not show it.
///
/// ```
/// use mcp_reprise::StateKey;
///
/// let key = StateKey::new(&[7; 32])?; // never a constant in earnest
/// assert_eq!(format!("{key:?}"), "StateKey(32 bytes)");
/// # Ok::<(), mcp_reprise::KeyError>(())
/// ```
#[derive(Clone)]
pub struct StateKey(Bytes);

#[derive(Clone)]
enum Bytes {
    Short([u8; 32]),
    Long([u8; 64]),
}

impl StateKey {
    /// A key of 32 or 64 bytes.
    ///
    /// # Errors
    ///
    /// [`KeyError::Length`] for any other length.
    ///
    /// ```
    /// use mcp_reprise::StateKey;
    ///
    /// assert!(StateKey::new(&[1; 64]).is_ok());
    /// assert!(StateKey::new(&[1; 48]).is_err());
    /// ```
    pub fn new(bytes: &[u8]) -> Result<StateKey, KeyError> {
        let short = bytes.try_into().map(Bytes::Short);
        short
            .or_else(|_| bytes.try_into().map(Bytes::Long))
            .map(StateKey)
            .map_err(|_| KeyError::Length {
                recorded: bytes.len(),
            })
    }

    /// A key from 64 or 128 hexadecimal digits of either case, with nothing
    /// before, between or after them.
    ///
    /// # Errors
    ///
    /// [`KeyError::Hex`] for anything but digits or an odd number of them,
    /// [`KeyError::Length`] for another length.
    ///
    /// ```
    /// use mcp_reprise::{KeyError, StateKey};
    ///
    /// assert!(StateKey::from_hex(&"0f".repeat(32)).is_ok());
    /// assert_eq!(StateKey::from_hex("0x").err(), Some(KeyError::Hex { at: 1 }));
    /// ```
    pub fn from_hex(text: &str) -> Result<StateKey, KeyError> {
        let digit = |byte: u8| char::from(byte).to_digit(16);
        if let Some(at) = text.bytes().position(|byte| digit(byte).is_none()) {
            return Err(KeyError::Hex { at });
        }
        if text.len() % 2 != 0 {
            return Err(KeyError::Hex { at: text.len() });
        }
        let bytes: Vec<u8> = text
            .as_bytes()
            .chunks_exact(2)
            .map(|two| {
                two.iter().fold(0, |value, &byte| {
                    // At most 0xff: two digits.
                    value << 4 | digit(byte).and_then(|d| u8::try_from(d).ok()).unwrap_or(0)
                })
            })
            .collect();
        StateKey::new(&bytes)
    }

    /// `None` when there are more headers than RFC 5297 allows (126).
    fn encrypt(&self, aad: &[&[u8]], plaintext: &[u8]) -> Option<Vec<u8>> {
        match &self.0 {
            Bytes::Short(key) => Aes128Siv::new(key.into()).encrypt(aad, plaintext),
            Bytes::Long(key) => Aes256Siv::new(key.into()).encrypt(aad, plaintext),
        }
        .ok()
    }

    /// `None` unless the tag is right, which is compared in constant time.
    fn decrypt(&self, aad: &[&[u8]], sealed: &[u8]) -> Option<Vec<u8>> {
        match &self.0 {
            Bytes::Short(key) => Aes128Siv::new(key.into()).decrypt(aad, sealed),
            Bytes::Long(key) => Aes256Siv::new(key.into()).decrypt(aad, sealed),
        }
        .ok()
    }
}

impl fmt::Debug for StateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Bytes::Short(_) => "StateKey(32 bytes)",
            Bytes::Long(_) => "StateKey(64 bytes)",
        })
    }
}

/// The keys of a server, at most 16: the first seals, all open. To replace a
/// key, put the new one first and keep the old one until what it sealed has
/// expired.
///
/// ```
/// use mcp_reprise::{KeyRing, StateKey};
///
/// let ring = KeyRing::new(StateKey::new(&[2; 64])?).and(StateKey::new(&[1; 32])?)?;
/// assert_eq!(format!("{ring:?}"), "KeyRing(2 keys)");
/// # Ok::<(), mcp_reprise::KeyError>(())
/// ```
#[derive(Clone)]
pub struct KeyRing {
    first: StateKey,
    others: Vec<StateKey>,
}

impl KeyRing {
    /// A ring of one key, which seals and opens.
    ///
    /// ```
    /// use mcp_reprise::{KeyRing, StateKey};
    ///
    /// let ring = KeyRing::new(StateKey::new(&[1; 32])?);
    /// # drop(ring);
    /// # Ok::<(), mcp_reprise::KeyError>(())
    /// ```
    pub fn new(first: StateKey) -> KeyRing {
        KeyRing {
            first,
            others: Vec::new(),
        }
    }

    /// The ring with one more key, which only opens.
    ///
    /// # Errors
    ///
    /// [`KeyError::RingFull`] when the ring already holds 16 keys: each is
    /// tried in turn on whatever a client sends.
    ///
    /// ```
    /// use mcp_reprise::{KeyError, KeyRing, StateKey};
    ///
    /// let key = StateKey::new(&[1; 32])?;
    /// let mut ring = Ok(KeyRing::new(key.clone()));
    /// for _ in 0..16 {
    ///     ring = ring.and_then(|ring| ring.and(key.clone()));
    /// }
    /// assert_eq!(ring.err(), Some(KeyError::RingFull));
    /// # Ok::<(), KeyError>(())
    /// ```
    pub fn and(mut self, key: StateKey) -> Result<KeyRing, KeyError> {
        if self.others.len() + 1 >= RING {
            return Err(KeyError::RingFull);
        }
        self.others.push(key);
        Ok(self)
    }
}

impl fmt::Debug for KeyRing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyRing({} keys)", self.others.len() + 1)
    }
}

/// Seals `plaintext` with the ring's first key, bound to `aad`, part by part:
/// base64url without padding. Equal inputs give equal text.
///
/// The length tells only how many blocks of 256 bytes the plaintext and its
/// one mark take. With more than 126 parts of `aad` the text is empty, and
/// nothing opens it.
pub(crate) fn seal(ring: &KeyRing, aad: &[&[u8]], plaintext: &[u8]) -> String {
    let mut padded = Vec::with_capacity((plaintext.len() / BLOCK + 1) * BLOCK);
    padded.extend_from_slice(plaintext);
    padded.push(0x80);
    padded.resize(padded.len().next_multiple_of(BLOCK), 0);
    let sealed = ring.first.encrypt(aad, &padded);
    URL_SAFE_NO_PAD.encode(sealed.unwrap_or_default())
}

/// How many characters [`seal`] makes of so many bytes.
pub(crate) fn chars(plaintext: usize) -> usize {
    let padded = (plaintext / BLOCK).saturating_add(1).saturating_mul(BLOCK);
    base64::encoded_len(padded.saturating_add(TAG), false).unwrap_or(usize::MAX)
}

/// Opens what [`seal`] sealed with any key of the ring and the same `aad`.
/// `max_len` bounds the text's length in bytes and is checked before anything
/// else. There is one `None` for every refusal.
pub(crate) fn open(ring: &KeyRing, aad: &[&[u8]], text: &str, max_len: usize) -> Option<Vec<u8>> {
    if text.len() > max_len {
        return None;
    }
    // This engine refuses padding and non-zero bits after the last byte, so
    // that one sealing has one text.
    let sealed = URL_SAFE_NO_PAD.decode(text).ok()?;
    let padded = sealed.len().checked_sub(TAG)?;
    if padded == 0 || padded % BLOCK != 0 {
        return None;
    }
    let mut plain = std::iter::once(&ring.first)
        .chain(&ring.others)
        .find_map(|key| key.decrypt(aad, &sealed))?;
    // The tag was right, so this is our own padding; time tells nothing here
    // that its sealer did not know.
    let mark = plain.iter().rposition(|&byte| byte != 0)?;
    if plain.get(mark) != Some(&0x80) || plain.len() - mark > BLOCK {
        return None;
    }
    plain.truncate(mark);
    Some(plain)
}

/// Keyed fingerprints of lists of fields, 128 bits: AES-256-CMAC over each
/// field with its length before it, so that fields cannot run together.
pub(crate) struct Mac {
    key: Cmac<Aes256Enc>,
    /// The fields written out: a cipher takes one long text faster than many short ones.
    text: Vec<u8>,
}

impl Mac {
    /// Makes a key ready, which costs as much as a short fingerprint does.
    pub(crate) fn new(key: &[u8; 32]) -> Mac {
        Mac {
            key: Cmac::new(key.into()),
            // A short question.
            text: Vec::with_capacity(384),
        }
    }

    /// The fingerprint of a first field and the others.
    pub(crate) fn of(&mut self, first: &[u8], others: &[&[u8]]) -> [u8; 16] {
        self.text.clear();
        for field in std::iter::once(&first).chain(others) {
            // Seven bits a byte, the last without its top bit: most take one.
            let mut length = field.len();
            while length >= 0x80 {
                self.text.push(length as u8 | 0x80);
                length >>= 7;
            }
            self.text.push(length as u8);
            self.text.extend_from_slice(field);
        }
        self.of_text()
    }

    fn of_text(&mut self) -> [u8; 16] {
        self.key.update(&self.text);
        self.key.finalize_reset().into_bytes().into()
    }
}

#[cfg(test)]
mod tests;
