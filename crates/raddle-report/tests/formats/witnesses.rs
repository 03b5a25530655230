//! Witnesses: whatever the names, the GraphML is well-formed and one path from the entry to the violation, with the threads of
//! the trace in their order; the YAML is read by a parser and ends with the target.

use crate::reports;
use raddle_report::witness::{WitnessOptions, graphml, yaml};
use roxmltree::{Document, Node};
use yaml_rust2::{Yaml, YamlLoader};

fn options() -> WitnessOptions {
    WitnessOptions {
        files: vec![("a<b>\"&\n: c.c".into(), "00".repeat(32)), ("- d.c".into(), "11".repeat(32))],
        specification: "CHECK( init(main()), LTL(G ! data-race) )".into(),
        ilp32: true,
        creation_time: "2024-01-31T12:00:00Z".into(),
        uuid: "ffffffff-ffff-8fff-bfff-ffffffffffff".into(),
    }
}

fn data<'a>(node: Node<'a, '_>, key: &str) -> Option<&'a str> {
    node.children().find(|child| child.attribute("key") == Some(key))?.text()
}

#[test]
fn a_graph_is_the_path_of_its_trace() {
    for trace in reports().iter().flat_map(|report| &report.traces) {
        let text = graphml(Some(trace), &options());
        let document = Document::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let all = |name: &'static str| {
            document
                .descendants()
                .filter(move |node| node.has_tag_name(("http://graphml.graphdrawing.org/xmlns", name)))
        };
        let (nodes, edges): (Vec<_>, Vec<_>) = (all("node").collect(), all("edge").collect());
        assert_eq!((nodes.len(), edges.len()), (trace.steps.len() + 2, trace.steps.len() + 1));
        assert_eq!(data(nodes[0], "entry"), Some("true"));
        let violations: Vec<_> =
            nodes.iter().filter(|node| data(**node, "violation") == Some("true")).collect();
        assert_eq!(violations.len(), 1);
        assert_eq!(violations[0].attribute("id"), Some(format!("N{}", edges.len()).as_str()));
        for (position, edge) in edges.iter().enumerate() {
            assert_eq!(edge.attribute("source"), Some(format!("N{position}").as_str()));
            assert_eq!(edge.attribute("target"), Some(format!("N{}", position + 1).as_str()));
        }
        for (edge, step) in edges[1..].iter().zip(&trace.steps) {
            assert_eq!(data(*edge, "threadId"), Some(step.thread.to_string().as_str()));
            let line = step.place.as_ref().map(|place| place.line.to_string());
            assert_eq!(data(*edge, "startline"), line.as_deref());
        }
        // Every key that is used is defined.
        let keys: Vec<_> = all("key").filter_map(|key| key.attribute("id")).collect();
        assert!(all("data").all(|data| keys.contains(&data.attribute("key").unwrap())));
    }
    let proof = graphml(None, &options());
    assert!(Document::parse(&proof).is_ok() && proof.contains("correctness_witness"));
}

#[test]
fn a_sequence_has_the_target_last() {
    for trace in reports().iter().flat_map(|report| &report.traces) {
        for text in [yaml(Some(trace), &options(), None), yaml(None, &options(), None)] {
            let documents =
                YamlLoader::load_from_str(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            let entry = &documents[0][0];
            assert_eq!((documents.len(), documents[0].as_vec().unwrap().len()), (1, 1));
            let task = &entry["metadata"]["task"];
            for (file, hash) in options().files {
                assert!(task["input_files"].as_vec().unwrap().contains(&Yaml::String(file.clone())));
                assert_eq!(task["input_file_hashes"][file.as_str()].as_str(), Some(hash.as_str()));
            }
            assert_eq!(task["data_model"].as_str(), Some("ILP32"));
            assert_eq!(entry["metadata"]["format_version"].as_str(), Some("2.0"));
            let segments = entry["content"].as_vec().unwrap();
            if entry["entry_type"].as_str() == Some("invariant_set") {
                assert!(segments.is_empty());
                continue;
            }
            let waypoints: Vec<&Yaml> =
                segments.iter().map(|segment| &segment["segment"][0]["waypoint"]).collect();
            let (last, others) = waypoints.split_last().unwrap();
            assert_eq!(last["type"].as_str(), Some("target"));
            let place = trace.fault.stack.first().or(trace.fault.place.as_ref()).unwrap();
            assert_eq!(last["location"]["file_name"].as_str(), Some(place.file.as_str()));
            assert_eq!(last["location"]["line"].as_i64(), Some(i64::from(place.line)));
            assert!(others.iter().all(|waypoint| waypoint["type"].as_str() == Some("function_return")));
        }
    }
}
