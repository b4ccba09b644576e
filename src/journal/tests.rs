//! The journal in its bytes, against a list of entries.

use proptest::prelude::*;

use super::{Attempt, Entry, EntryKind, Journal, Reader, Told, Writer};

fn told() -> impl Strategy<Value = Told<'static>> {
    prop_oneof![
        (0..300u32).prop_map(|asks| Told::Open { asks }),
        Just(Told::Declined),
        Just(Told::Cancelled),
        "[a-zé]{0,200}".prop_map(|text| Told::Accepted(text.into())),
        "[a-z]{0,9}".prop_map(|text| Told::Result(text.into())),
        "[a-z]{0,9}".prop_map(|text| Told::Done(text.into())),
        "[a-z]{0,9}".prop_map(|text| Told::Failed(text.into())),
    ]
}

fn entry() -> impl Strategy<Value = Entry<'static>> {
    const KINDS: [EntryKind; 4] = [
        EntryKind::Elicit,
        EntryKind::Sample,
        EntryKind::Roots,
        EntryKind::Once,
    ];
    let kind = prop::sample::select(&KINDS[..]);
    let key = prop::sample::select(&["", "day", "seats-2", "é"][..]);
    (kind, key, any::<[u8; 16]>(), told()).prop_map(|(kind, key, print, told)| Entry {
        kind,
        key,
        print: if kind == EntryKind::Once {
            [0; 16]
        } else {
            print
        },
        told,
    })
}

/// What a replay does to a journal.
#[derive(Debug, Clone)]
enum Move {
    Put(prop::sample::Index, Entry<'static>),
    Truncate(prop::sample::Index),
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let one = prop_oneof![
        4 => (any::<prop::sample::Index>(), entry()).prop_map(|(at, entry)| Move::Put(at, entry)),
        1 => any::<prop::sample::Index>().prop_map(Move::Truncate),
    ];
    prop::collection::vec(one, 0..12)
}

proptest! {
    #[test]
    fn a_journal_is_the_list_of_its_entries(moves in moves()) {
        let mut journal = Journal::default();
        let mut list: Vec<Entry<'static>> = Vec::new();
        for one in moves {
            match one {
                Move::Put(at, entry) => {
                    let at = at.index(list.len() + 1);
                    journal.put(at, &entry);
                    match list.get_mut(at) {
                        Some(place) => *place = entry,
                        None => list.push(entry),
                    }
                }
                Move::Truncate(at) => {
                    let at = at.index(list.len() + 1);
                    journal.truncate(at);
                    list.truncate(at);
                }
            }
            prop_assert_eq!(journal.entries().collect::<Vec<_>>(), list.clone());
            for at in 0..=list.len() {
                let entry = list.get(at);
                prop_assert_eq!(journal.get(at), entry.cloned());
                prop_assert_eq!(journal.is_open(at), entry.is_some_and(Entry::is_open));
                for other in &list {
                    let Entry { kind, key, print, .. } = *other;
                    let is = entry.map(|it| (it.kind, it.key, it.print) == (kind, key, print));
                    prop_assert_eq!(journal.is(at, &Attempt { kind, key, print }), is);
                }
            }
            prop_assert_eq!(journal.first_open(), list.iter().position(Entry::is_open));
            prop_assert_eq!(journal.is_empty(), list.is_empty());
            let mut out = Writer::default();
            out.journal(&journal);
            let mut input = Reader(&out.0);
            prop_assert_eq!(input.journal(), Some(journal.clone()));
            prop_assert!(input.0.is_empty());
            // Nothing shorter is a journal.
            for end in 0..out.0.len() {
                prop_assert_eq!(Reader(&out.0[..end]).journal(), None);
            }
        }
    }
}

fn journal(entries: &[Entry<'_>]) -> Journal {
    let mut journal = Journal::default();
    for entry in entries {
        journal.push(entry);
    }
    journal
}

proptest! {
    #[test]
    fn journals_are_equal_where_their_entries_are(
        some in prop::collection::vec(entry(), 0..4),
        more in prop::collection::vec(entry(), 0..4),
    ) {
        prop_assert_eq!(journal(&some) == journal(&more), some == more);
        prop_assert_eq!(journal(&some), journal(&some));
    }
}

#[test]
fn a_journal_shows_that_there_are_answers_and_not_which() {
    let entry = Entry {
        kind: EntryKind::Elicit,
        key: "day",
        print: [0; 16],
        told: Told::Accepted("Friday".into()),
    };
    let shown = format!("{:?}", journal(&[entry]));
    assert!(shown.contains(r#"key: "day""#) && shown.contains("told: Accepted(..)"));
    assert!(!shown.contains("Friday"));
}
