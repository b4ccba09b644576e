//! Templates against their expansions.

use iri_string::spec::UriSpec;
use iri_string::template::simple_context::SimpleContext;
use proptest::prelude::*;

use super::*;

fn found(template: &str, uri: &str) -> Option<Vec<(String, String)>> {
    let template = UriTemplate::new(template).unwrap();
    template.matches(uri).map(Vec::from_iter)
}

/// What is found, as `name=value` lines.
fn said(template: &str, uri: &str) -> Option<String> {
    let lines = found(template, uri)?
        .into_iter()
        .map(|(name, value)| format!("{name}={value}"));
    Some(lines.collect::<Vec<_>>().join(" "))
}

#[test]
fn every_operator() {
    for (template, uri, values) in [
        ("a://b", "a://b", ""),
        ("file:///{path}", "file:///a%2Fb%20%C3%BC", "path=a/b ü"),
        ("x://{a},{b}/{c,d}", "x://1,2/3,4", "a=1 b=2 c=3 d=4"),
        ("file:///{+path}", "file:///a/b%20c?d#e", "path=a/b c?d#e"),
        ("x:y{#part}", "x:y#z/1", "part=z/1"),
        ("x:y{#part}", "x:y", ""),
        ("x:y{#part}", "x:y#", "part="),
        ("x:y{.kind}", "x:y.txt", "kind=txt"),
        ("x:{/a,b}", "x:/1/2", "a=1 b=2"),
        ("x:{/a,b}", "x:/1", "a=1"),
        ("x:{/a,b}", "x:", ""),
        ("x:{;a,b,c}", "x:;a=1;b;c=3", "a=1 b= c=3"),
        ("x:{;a,b,c}", "x:;c=3", "c=3"),
        ("x:{?a,b,c}", "x:?a=1&b=2&c=", "a=1 b=2 c="),
        ("x:{?a,b,c}", "x:?b=2", "b=2"),
        ("x:{?a,b,c}", "x:", ""),
        ("x:?z=0{&a,b}", "x:?z=0&b=2", "b=2"),
        ("x:{?a}{&b}", "x:?a=1&b=2", "a=1 b=2"),
        ("x:/{a:1}/{a}", "x:/n/name", "a=name"),
        ("x:/{a:3}", "x:/%C3%BCbc", "a=übc"),
        ("x:/{a:1}/{a:2}", "x:/n/na", "a=na"),
        ("x:/{a}/{a}", "x:/1/1", "a=1"),
        (
            "x:{?a.b,c%20d,e_1}",
            "x:?a.b=1&c%20d=2&e_1=3",
            "a.b=1 c%20d=2 e_1=3",
        ),
        ("x:%20(.*)[a]{a}", "x:%20(.*)[a]1", "a=1"),
    ] {
        assert_eq!(
            said(template, uri).as_deref(),
            Some(values),
            "{template} {uri}"
        );
    }
}

#[test]
fn what_is_no_expansion() {
    for (template, uri) in [
        ("a://b", "a://bc"),
        ("a://b", "A://b"),
        ("file:///{path}", "file:///a/b"),
        ("file:///{path}", "file:///a b"),
        ("file:///{path}", "file:///ü"),
        ("file:///{path}", "file:///%"),
        ("file:///{path}", "file:///%zz"),
        ("file:///{path}", "file:///%ff"),
        ("file:///{path}", "file:///a\n"),
        ("x:{a,b}", "x:1"),
        ("x:{?a,b}", "x:&a=1"),
        ("x:{?a,b}", "x:?b=2&a=1"),
        ("x:{?a,b}", "x:?a=1?b=2"),
        ("x:{?a,b}", "x:?a=1&c=2"),
        ("x:{?a}", "x:?a"),
        ("x:{;a}", "x:;ab"),
        ("x:/{a}/{a}", "x:/1/2"),
        ("x:/{a:3}", "x:/abcd"),
        ("x:/{a:1}/{a}", "x:/m/name"),
        ("x:/{a:1}/{a:2}", "x:/m/na"),
    ] {
        assert_eq!(said(template, uri), None, "{template} {uri}");
    }
    let long = |length| format!("x:{}", "a".repeat(length - 2));
    assert!(found("x:{a}", &long(LONGEST)).is_some());
    assert!(found("x:{a}", &long(LONGEST + 1)).is_none());
}

#[test]
fn what_is_refused_at_registration() {
    let refused = |template: &str| UriTemplate::new(template).unwrap_err();
    for template in [
        "{", "}", "{}", "x{a", "{a b}", "{=a}", "{!a}", "{+}", "{a,}", "{a:}", "ü{a}", "{ü}", "%",
        "%aé", "a b",
    ] {
        assert_eq!(refused(template), TemplateError::Syntax, "{template}");
    }
    assert_eq!(
        refused("x:{/list*}").to_string(),
        "{list*} stands for a list, which cannot be matched"
    );
    for template in ["{a:0}", "{a:10000}", "{a:99999}", "{a:01}"] {
        let said = "the prefix of {a} is not of 1 to 9999 characters";
        assert_eq!(refused(template).to_string(), said, "{template}");
    }
    assert_eq!(refused(&"a".repeat(LONGEST + 1)), TemplateError::TooLong);
    let many = |count| format!("x:{}", "{/a}".repeat(count));
    assert!(UriTemplate::new(&many(64)).is_ok());
    assert_eq!(refused(&many(65)), TemplateError::TooManyVariables);
}

#[test]
fn variables_stand_once_in_order() {
    let template = UriTemplate::new("x://{b:1}/{b}/{a}{;z}{?c,a}").unwrap();
    assert_eq!(template.variables(), ["b", "a", "z", "c"]);
}

#[test]
fn the_worst_case_is_quick() {
    let names: Vec<_> = (0..64).map(|n| format!("v{n}")).collect();
    let worst = format!("x:{{?{}}}", names.join(","));
    let template = UriTemplate::new(&worst).unwrap();
    let uri = format!("x:?v0={}", "%41".repeat(2_700));
    assert!(template.matches(&uri).is_some());
    let nested = UriTemplate::new(&format!("x:{}!", "{+a}{+b}".repeat(32))).unwrap();
    let uri = format!("x:{}", "/".repeat(8_000));
    assert!(nested.matches(&uri).is_none());
}

/// Expressions whose values can be told apart, one after the other.
fn template_and_values() -> impl Strategy<Value = (String, Vec<(String, Option<String>)>)> {
    let value = prop_oneof![3 => "\\PC{0,6}", 1 => "[ -~]{0,6}"];
    let query = proptest::collection::vec(proptest::option::of(value.clone()), 1..4);
    (
        value.clone(),
        value.clone(),
        proptest::option::of("[^.]{0,4}"),
        proptest::option::of(value.clone()),
        proptest::option::of(value.clone()),
        query,
        proptest::option::of("[a-z/? :@]{0,6}"),
    )
        .prop_map(|(a, b, path, p, q, query, fragment)| {
            let names: Vec<_> = (0..query.len()).map(|n| format!("q{n}")).collect();
            let template = format!(
                "x://{{a,b}}:{{b}}{{/path}}{{;p,q}}{{?{}}}{{#f}}",
                names.join(",")
            );
            let mut values = vec![
                ("a".into(), Some(a)),
                ("b".into(), Some(b)),
                ("path".into(), path),
                ("p".into(), p),
                ("q".into(), q),
                ("f".into(), fragment),
            ];
            values.extend(names.into_iter().zip(query));
            (template, values)
        })
}

proptest! {
    #[test]
    fn an_expansion_gives_its_values_back((template, values) in template_and_values()) {
        let mut context = SimpleContext::new();
        for (name, value) in &values {
            if let Some(value) = value {
                context.insert(name, value.as_str());
            }
        }
        let parsed = UriTemplateStr::new(&template).unwrap();
        let uri = parsed.expand::<UriSpec, _>(&context).unwrap().to_string();
        let given: BTreeMap<_, _> =
            values.into_iter().filter_map(|(name, value)| Some((name, value?))).collect();
        prop_assert_eq!(UriTemplate::new(&template).unwrap().matches(&uri), Some(given), "{}", uri);
    }

    #[test]
    fn an_expansion_with_any_operator_matches(
        pieces in proptest::collection::vec((
            prop::sample::select(vec!["", "+", "#", ".", "/", ";", "?", "&"]),
            prop::sample::select(vec!["a", "a,b", "b:2", "c,a:1", "b,c"]),
            "[a-z/:%.-]{0,3}",
        ), 0..5),
        // The expander panics where a reserved expansion meets more than ASCII.
        values in proptest::array::uniform3("[ -~]{0,5}"),
    ) {
        let template: String = pieces
            .iter()
            .map(|(operator, list, literal)| format!("{{{operator}{list}}}{}", literal.replace('%', "%2f")))
            .collect();
        let parsed = UriTemplateStr::new(&template).unwrap();
        let mut context = SimpleContext::new();
        for (name, value) in ["a", "b", "c"].into_iter().zip(&values) {
            context.insert(name, value.as_str());
        }
        let uri = parsed.expand::<UriSpec, _>(&context).unwrap().to_string();
        let template = UriTemplate::new(&template).unwrap();
        // Repeated or adjoining variables can be read in several ways.
        let regex_matches = template.regex.is_match(&uri);
        prop_assert!(regex_matches, "{:?} {}", template, uri);
    }

    #[test]
    fn total(template in "[a-z{}:*,?&/+#.;%0-9é]{0,20}", uri in "\\PC{0,30}") {
        if let Ok(template) = UriTemplate::new(&template) {
            let _ = template.matches(&uri);
            let _ = template.variables();
        }
    }
}
