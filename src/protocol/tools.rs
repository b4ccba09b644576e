use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    CacheScope, Cursor, Icon, JsonObject, JsonRpcNotification, JsonRpcRequest,
    JsonRpcResultResponse, Meta, NotificationParams, PaginatedRequestParams, ResultType,
};

/// A tool the client may call.
///
/// Both schemas are kept whole. A new tool takes any object.
///
/// Schema: [`Tool`](https://modelcontextprotocol.io/specification/2026-07-28/schema#tool).
/// Spec: [Tool](https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool).
///
/// ```
/// use mcp_reprise::protocol::Tool;
///
/// let tool = Tool::new("add").description("Adds two numbers.");
/// assert_eq!(tool.input_schema.get("type"), Some(&"object".into()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Tool {
    /// The name the client calls.
    pub name: String,
    /// The name, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What the tool does, for the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The JSON Schema of the arguments.
    pub input_schema: JsonObject,
    /// The JSON Schema of `structuredContent`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<JsonObject>,
    /// Hints about what the tool does to the world.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub annotations: Option<ToolAnnotations>,
    /// Icons a client may show.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub icons: Option<Vec<Icon>>,
    /// Metadata about this tool.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl Tool {
    /// A tool whose arguments may be any object.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            title: None,
            description: None,
            input_schema: any_object(),
            output_schema: None,
            annotations: None,
            icons: None,
            meta: None,
        }
    }

    /// Sets `inputSchema`.
    pub fn input_schema(mut self, input_schema: JsonObject) -> Self {
        self.input_schema = input_schema;
        self
    }

    /// Sets `title`.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Sets `description`.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Sets `outputSchema`.
    pub fn output_schema(mut self, output_schema: JsonObject) -> Self {
        self.output_schema = Some(output_schema);
        self
    }

    /// Sets `annotations`.
    pub fn annotations(mut self, annotations: ToolAnnotations) -> Self {
        self.annotations = Some(annotations);
        self
    }

    /// Sets `icons`.
    pub fn icons(mut self, icons: impl IntoIterator<Item = Icon>) -> Self {
        self.icons = Some(icons.into_iter().collect());
        self
    }

    /// Sets `_meta`.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = Some(meta);
        self
    }
}

fn any_object() -> JsonObject {
    JsonObject::from_iter([("type".to_owned(), Value::from("object"))])
}

/// Hints about what a tool does to the world. A server may be wrong about them.
///
/// Schema: [`ToolAnnotations`](https://modelcontextprotocol.io/specification/2026-07-28/schema#toolannotations).
///
/// ```
/// use mcp_reprise::protocol::ToolAnnotations;
///
/// let hints = ToolAnnotations::new().read_only_hint(true);
/// assert_eq!(hints.read_only_hint, Some(true));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ToolAnnotations {
    /// The tool's name, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Whether the tool changes nothing. Absent means no.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_only_hint: Option<bool>,
    /// Whether a change may destroy something. Absent means yes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub destructive_hint: Option<bool>,
    /// Whether calling again changes nothing more. Absent means no.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idempotent_hint: Option<bool>,
    /// Whether the tool reaches beyond a closed world. Absent means yes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open_world_hint: Option<bool>,
}

impl ToolAnnotations {
    /// An empty value, with every optional member absent.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets `title`.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Sets `readOnlyHint`.
    pub fn read_only_hint(mut self, read_only_hint: bool) -> Self {
        self.read_only_hint = Some(read_only_hint);
        self
    }

    /// Sets `destructiveHint`.
    pub fn destructive_hint(mut self, destructive_hint: bool) -> Self {
        self.destructive_hint = Some(destructive_hint);
        self
    }

    /// Sets `idempotentHint`.
    pub fn idempotent_hint(mut self, idempotent_hint: bool) -> Self {
        self.idempotent_hint = Some(idempotent_hint);
        self
    }

    /// Sets `openWorldHint`.
    pub fn open_world_hint(mut self, open_world_hint: bool) -> Self {
        self.open_world_hint = Some(open_world_hint);
        self
    }
}

/// Which page of the tools to list.
///
/// Schema: [`ListToolsRequest`](https://modelcontextprotocol.io/specification/2026-07-28/schema#listtoolsrequest).
pub type ListToolsRequest = JsonRpcRequest<PaginatedRequestParams>;

/// A page of the tools.
///
/// Schema: [`ListToolsResult`](https://modelcontextprotocol.io/specification/2026-07-28/schema#listtoolsresult).
/// Spec: [Listing tools](https://modelcontextprotocol.io/specification/2026-07-28/server/tools#listing-tools).
///
/// ```
/// use mcp_reprise::protocol::{ListToolsResult, Tool};
///
/// let page = ListToolsResult::new([Tool::new("add")]).ttl_ms(60_000);
/// assert_eq!(page.tools.len(), 1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ListToolsResult {
    /// Whether this is the final answer. Absent in revisions before 2026-07-28, where it means complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result_type: Option<ResultType>,
    /// The tools.
    pub tools: Vec<Tool>,
    /// Where the next page starts. Absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
    /// How many milliseconds a client may keep this answer. Required on the wire in 2026-07-28.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ttl_ms: Option<u64>,
    /// Who may share a kept copy of this answer. Required on the wire in 2026-07-28.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_scope: Option<CacheScope>,
    /// Metadata about this result.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl ListToolsResult {
    /// A last page with these tools.
    pub fn new(tools: impl IntoIterator<Item = Tool>) -> Self {
        Self {
            result_type: Some(ResultType::Complete),
            tools: tools.into_iter().collect(),
            next_cursor: None,
            ttl_ms: None,
            cache_scope: None,
            meta: None,
        }
    }

    /// Sets `nextCursor`.
    pub fn next_cursor(mut self, next_cursor: impl Into<Cursor>) -> Self {
        self.next_cursor = Some(next_cursor.into());
        self
    }

    /// Sets `ttlMs`.
    pub fn ttl_ms(mut self, ttl_ms: u64) -> Self {
        self.ttl_ms = Some(ttl_ms);
        self
    }

    /// Sets `cacheScope`.
    pub fn cache_scope(mut self, cache_scope: CacheScope) -> Self {
        self.cache_scope = Some(cache_scope);
        self
    }

    /// Sets `_meta`.
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = Some(meta);
        self
    }
}

/// A response with a page of the tools.
///
/// Schema: [`ListToolsResultResponse`](https://modelcontextprotocol.io/specification/2026-07-28/schema#listtoolsresultresponse).
pub type ListToolsResultResponse = JsonRpcResultResponse<ListToolsResult>;

/// News that the list of tools changed.
///
/// Schema: [`ToolListChangedNotification`](https://modelcontextprotocol.io/specification/2026-07-28/schema#toollistchangednotification).
/// Spec: [List changed notification](https://modelcontextprotocol.io/specification/2026-07-28/server/tools#list-changed-notification).
pub type ToolListChangedNotification = JsonRpcNotification<NotificationParams>;
