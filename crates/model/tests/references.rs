//! What is packed comes out as it went in.

use groma_model::{FileFacts, Names, Origin, Reference, ReferenceFlags, Role, TypePosition};

#[test]
fn every_flag_and_position_of_a_reference_is_kept() {
    let mut names = Names::default();
    let name = names.push("used");
    let mut facts = FileFacts { names, ..FileFacts::default() };
    for position in TypePosition::ALL {
        for (flag, _) in ReferenceFlags::ALL {
            facts.references.push(Reference {
                name,
                role: Role::Call,
                position: *position,
                flags: *flag,
                start: 1,
                receiver: Origin::default(),
                arguments: None,
                symbol: None,
                scope: 0,
            });
        }
    }
    let unpacked =
        groma_model::pack::unpack(&groma_model::pack::pack(&facts)).expect("it was just packed");
    assert_eq!(unpacked.references, facts.references);
}
