//! Every official example of revision 2026-07-28 parses into its type and
//! prints as it was.
//!
//! The examples aren't part of the project. They are looked for in the folder
//! `MCP_SCHEMA_DIR` names, else in `../shared/schema` beside the project. Where
//! neither exists, the test says so and passes.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use mcp_reprise::protocol::*;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

type Again = Result<Value, Box<dyn Error>>;

/// Reads the text as a `T`, and a `Value` as a `T` too, and prints it.
fn again<T: DeserializeOwned + Serialize + PartialEq + std::fmt::Debug>(text: &str) -> Again {
    let read: T = serde_json::from_str(text)?;
    let value: Value = serde_json::from_str(text)?;
    assert_eq!(serde_json::from_value::<T>(value)?, read);
    Ok(serde_json::to_value(&read)?)
}

/// The official `roots/list` example has an `id`, though its type has none.
#[derive(Debug, PartialEq, Deserialize, Serialize)]
struct Stamped<T> {
    id: RequestId,
    #[serde(flatten)]
    request: T,
}

/// An error response whose data must be readable.
fn unsupported_version(text: &str) -> Again {
    let response: JsonRpcErrorResponse = serde_json::from_str(text)?;
    let data = response.error.unsupported_protocol_version_data();
    let data = data.ok_or("unreadable data")?;
    let error = ErrorObject::unsupported_protocol_version(&data);
    assert_eq!(
        (error.code, &error.data),
        (response.error.code, &response.error.data)
    );
    again::<JsonRpcErrorResponse>(text)
}

/// An error response whose data must be readable.
fn missing_capability(text: &str) -> Again {
    let response: JsonRpcErrorResponse = serde_json::from_str(text)?;
    let data = response.error.missing_required_client_capability_data();
    let data = data.ok_or("unreadable data")?;
    let error = ErrorObject::missing_required_client_capability("", &data);
    assert_eq!(
        (error.code, &error.data),
        (response.error.code, &response.error.data)
    );
    again::<JsonRpcErrorResponse>(text)
}

/// Answers, each of which must be readable as what it is.
fn input_responses(text: &str) -> Again {
    let mut responses: InputResponses = serde_json::from_str(text)?;
    for (key, response) in &mut responses.0 {
        *response = match key.as_str() {
            "github_login" => response.as_elicit()?.into(),
            "capital_of_france" => response.as_create_message()?.into(),
            _ => return Err(format!("no rule for the key {key}").into()),
        };
    }
    Ok(serde_json::to_value(&responses)?)
}

/// A request, whose metadata must be readable.
fn request<P: DeserializeOwned + Serialize + PartialEq + std::fmt::Debug>(text: &str) -> Again {
    let whole: JsonRpcRequest<Value> = serde_json::from_str(text)?;
    let meta = Meta::deserialize(&whole.params["_meta"])?;
    assert_eq!(meta.protocol_version()?, Some(PROTOCOL_VERSION));
    assert_eq!(
        meta.client_info()?,
        Some(Implementation::new("ExampleClient", "1.0.0"))
    );
    assert_eq!(meta.client_capabilities()?, Some(ClientCapabilities::new()));
    assert_eq!(meta.foreign().count(), 0);
    again::<JsonRpcRequest<P>>(text)
}

/// The folder's name, and how its examples are read and printed.
type Row = (&'static str, fn(&str) -> Again);

/// A row for each folder of examples.
const ROWS: &[Row] = &[
    ("AudioContent", again::<AudioContent>),
    ("BlobResourceContents", again::<BlobResourceContents>),
    ("BooleanSchema", again::<BooleanSchema>),
    ("CallToolRequest", request::<CallToolRequestParams>),
    ("CallToolRequestParams", again::<CallToolRequestParams>),
    ("CallToolResult", again::<CallToolResult>),
    ("CallToolResultResponse", again::<CallToolResultResponse>),
    ("CancelledNotification", again::<CancelledNotification>),
    (
        "CancelledNotificationParams",
        again::<CancelledNotificationParams>,
    ),
    ("ClientCapabilities", again::<ClientCapabilities>),
    ("CompleteRequest", request::<CompleteRequestParams>),
    ("CompleteRequestParams", again::<CompleteRequestParams>),
    ("CompleteResult", again::<CompleteResult>),
    ("CompleteResultResponse", again::<CompleteResultResponse>),
    ("CreateMessageRequest", again::<CreateMessageRequest>),
    (
        "CreateMessageRequestParams",
        again::<CreateMessageRequestParams>,
    ),
    ("CreateMessageResult", again::<CreateMessageResult>),
    ("DiscoverRequest", request::<RequestParams>),
    ("DiscoverResult", again::<DiscoverResult>),
    ("DiscoverResultResponse", again::<DiscoverResultResponse>),
    ("ElicitRequest", again::<ElicitRequest>),
    ("ElicitRequestFormParams", again::<ElicitRequestFormParams>),
    ("ElicitRequestURLParams", again::<ElicitRequestUrlParams>),
    ("ElicitResult", again::<ElicitResult>),
    ("EmbeddedResource", again::<EmbeddedResource>),
    ("GetPromptRequest", request::<GetPromptRequestParams>),
    ("GetPromptRequestParams", again::<GetPromptRequestParams>),
    ("GetPromptResult", again::<GetPromptResult>),
    ("GetPromptResultResponse", again::<GetPromptResultResponse>),
    ("HeaderMismatchError", again::<JsonRpcErrorResponse>),
    ("ImageContent", again::<ImageContent>),
    ("InputRequests", again::<InputRequests>),
    ("InputRequiredResult", again::<InputRequiredResult>),
    ("InputResponses", input_responses),
    ("InternalError", again::<ErrorObject>),
    ("InvalidParamsError", again::<ErrorObject>),
    ("ListPromptsRequest", request::<PaginatedRequestParams>),
    ("ListPromptsResult", again::<ListPromptsResult>),
    (
        "ListPromptsResultResponse",
        again::<ListPromptsResultResponse>,
    ),
    (
        "ListResourceTemplatesRequest",
        request::<PaginatedRequestParams>,
    ),
    (
        "ListResourceTemplatesResult",
        again::<ListResourceTemplatesResult>,
    ),
    (
        "ListResourceTemplatesResultResponse",
        again::<ListResourceTemplatesResultResponse>,
    ),
    ("ListResourcesRequest", request::<PaginatedRequestParams>),
    ("ListResourcesResult", again::<ListResourcesResult>),
    (
        "ListResourcesResultResponse",
        again::<ListResourcesResultResponse>,
    ),
    ("ListRootsRequest", again::<Stamped<ListRootsRequest>>),
    ("ListRootsResult", again::<ListRootsResult>),
    ("ListToolsRequest", request::<PaginatedRequestParams>),
    ("ListToolsResult", again::<ListToolsResult>),
    ("ListToolsResultResponse", again::<ListToolsResultResponse>),
    (
        "LoggingMessageNotification",
        again::<LoggingMessageNotification>,
    ),
    (
        "LoggingMessageNotificationParams",
        again::<LoggingMessageNotificationParams>,
    ),
    ("MethodNotFoundError", again::<ErrorObject>),
    ("MissingRequiredClientCapabilityError", missing_capability),
    ("ModelPreferences", again::<ModelPreferences>),
    ("NumberSchema", again::<NumberSchema>),
    ("PaginatedRequestParams", again::<PaginatedRequestParams>),
    ("ParseError", again::<ErrorObject>),
    ("ProgressNotification", again::<ProgressNotification>),
    (
        "ProgressNotificationParams",
        again::<ProgressNotificationParams>,
    ),
    (
        "PromptListChangedNotification",
        again::<PromptListChangedNotification>,
    ),
    ("ReadResourceRequest", request::<ReadResourceRequestParams>),
    ("ReadResourceResult", again::<ReadResourceResult>),
    (
        "ReadResourceResultResponse",
        again::<ReadResourceResultResponse>,
    ),
    ("Resource", again::<Resource>),
    ("ResourceLink", again::<ResourceLink>),
    (
        "ResourceListChangedNotification",
        again::<ResourceListChangedNotification>,
    ),
    (
        "ResourceUpdatedNotification",
        again::<ResourceUpdatedNotification>,
    ),
    (
        "ResourceUpdatedNotificationParams",
        again::<ResourceUpdatedNotificationParams>,
    ),
    ("Root", again::<Root>),
    ("SamplingMessage", again::<SamplingMessage>),
    ("ServerCapabilities", again::<ServerCapabilities>),
    ("StringSchema", again::<StringSchema>),
    (
        "SubscriptionsAcknowledgedNotification",
        again::<SubscriptionsAcknowledgedNotification>,
    ),
    (
        "SubscriptionsListenRequest",
        request::<SubscriptionsListenRequestParams>,
    ),
    (
        "SubscriptionsListenResult",
        again::<SubscriptionsListenResult>,
    ),
    (
        "SubscriptionsListenResultResponse",
        again::<SubscriptionsListenResultResponse>,
    ),
    ("TextContent", again::<TextContent>),
    ("TextResourceContents", again::<TextResourceContents>),
    (
        "TitledMultiSelectEnumSchema",
        again::<TitledMultiSelectEnumSchema>,
    ),
    (
        "TitledSingleSelectEnumSchema",
        again::<TitledSingleSelectEnumSchema>,
    ),
    ("Tool", again::<Tool>),
    (
        "ToolListChangedNotification",
        again::<ToolListChangedNotification>,
    ),
    ("ToolResultContent", again::<ToolResultContent>),
    ("ToolUseContent", again::<ToolUseContent>),
    ("UnsupportedProtocolVersionError", unsupported_version),
    (
        "UntitledMultiSelectEnumSchema",
        again::<UntitledMultiSelectEnumSchema>,
    ),
    (
        "UntitledSingleSelectEnumSchema",
        again::<UntitledSingleSelectEnumSchema>,
    ),
];

#[expect(
    clippy::disallowed_methods,
    reason = "whoever runs the test may say where to look"
)]
fn folder() -> Option<PathBuf> {
    let root = match std::env::var_os("MCP_SCHEMA_DIR") {
        Some(named) => PathBuf::from(named),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/schema"),
    };
    let folder = root.join("examples-2026-07-28");
    folder.is_dir().then_some(folder)
}

#[test]
fn every_official_example_prints_as_it_was() -> Result<(), Box<dyn Error>> {
    let Some(folder) = folder() else {
        println!("skipped: there are no official examples here; set MCP_SCHEMA_DIR");
        return Ok(());
    };
    let mut checked = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let row = ROWS.iter().find(|(known, _)| *known == name);
        let (_, parse) = row.ok_or_else(|| format!("no row for the examples of {name}"))?;
        for file in fs::read_dir(entry.path())? {
            let path = file?.path();
            let text = fs::read_to_string(&path)?;
            let original: Value = serde_json::from_str(&text)?;
            let printed = parse(&text).map_err(|error| format!("{}: {error}", path.display()))?;
            assert_eq!(printed, original, "{}", path.display());
            // What has a `type` is checked as part of its union too.
            if original.get("type").is_some() {
                assert_eq!(in_union(&name, &text)?, original, "{}", path.display());
            }
            checked += 1;
        }
    }
    assert!(checked >= 129, "only {checked} examples were found");
    Ok(())
}

/// Reads a member of a union as the union.
fn in_union(name: &str, text: &str) -> Again {
    match name {
        "ToolUseContent" | "ToolResultContent" => again::<SamplingMessageContentBlock>(text),
        _ if name.ends_with("Schema") => again::<PrimitiveSchemaDefinition>(text),
        _ => again::<ContentBlock>(text),
    }
}

#[test]
fn versions_are_in_order() {
    assert!(!LEGACY_PROTOCOL_VERSIONS.contains(&PROTOCOL_VERSION));
    assert!(LEGACY_PROTOCOL_VERSIONS.is_sorted_by(|newer, older| newer > older));
}
