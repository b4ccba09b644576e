//! A server with a few tools, and a client that knows one session by its bytes.

use mcp_reprise::legacy::{Session, Transport};
use mcp_reprise::protocol::{
    CallToolResult, CreateMessageRequestParams, LoggingLevel, SamplingMessage,
};
use mcp_reprise::{
    Action, Answer, Caller, Cx, Exchange, Field, Form, Limits, Moment, Outcome, Progress, Prompt,
    Question, Resource, Server, ServerBuilder, Sink, Step, Timestamp, Tool, ToolError, Turn,
    UrlPrompt,
};
use serde_json::{Value, json};

pub type Args = Value;

#[derive(serde::Deserialize)]
pub struct Day {
    pub day: String,
}

#[derive(serde::Deserialize)]
pub struct Seats {
    pub seats: u32,
}

fn day(cx: &mut Cx) -> Result<String, ToolError> {
    let day: Day = cx
        .elicit("day", Form::new("Which day?").text("day"))?
        .accepted()?;
    Ok(day.day)
}

fn book(cx: &mut Cx, _: Args) -> Outcome {
    cx.log(LoggingLevel::Info, "asking");
    let day = day(cx)?;
    cx.log(LoggingLevel::Info, "asking again");
    let seats: Answer<Seats> = cx.elicit("seats", Form::new("How many?").integer("seats"))?;
    Ok(CallToolResult::text(match seats {
        Answer::Accepted(seats) => format!("{} seats on {day}", seats.seats),
        Answer::Declined => "declined".to_owned(),
        Answer::Cancelled => "cancelled".to_owned(),
    }))
}

fn both(cx: &mut Cx, _: Args) -> Outcome {
    let (day, seats) = cx.ask((
        Question::form::<Day>("day", Form::new("Which day?").text("day")),
        Question::form::<Seats>("seats", Form::new("How many?").integer("seats")),
    ))?;
    let (day, seats) = (day.accepted()?, seats.accepted()?);
    Ok(CallToolResult::text(format!(
        "{} on {}",
        seats.seats, day.day
    )))
}

async fn once(cx: &mut Cx, _: Args) -> Outcome {
    let number: u32 = cx
        .once("order", async |_| Ok::<_, String>(7))
        .await
        .map_err(|_| ToolError::internal("no order"))?;
    let day = day(cx)?;
    Ok(CallToolResult::text(format!("order {number} for {day}")))
}

fn sample(cx: &mut Cx, _: Args) -> Outcome {
    let request = CreateMessageRequestParams::new([SamplingMessage::user("Hello?")], 10);
    let answer = cx.sample("hello", request)?;
    Ok(CallToolResult::text(answer.model))
}

fn roots(cx: &mut Cx, _: Args) -> Outcome {
    let roots = cx.list_roots("roots")?;
    Ok(CallToolResult::text(format!("{} roots", roots.len())))
}

fn url(cx: &mut Cx, _: Args) -> Outcome {
    let prompt = UrlPrompt::new("Please connect.", "https://example.com/connect")?;
    cx.elicit_url("connect", prompt)?.accepted()?;
    Ok(CallToolResult::text("connected"))
}

fn form(cx: &mut Cx, _: Args) -> Outcome {
    let form = Form::new("Fill it in.")
        .field("name", Field::text().default("Ann"))
        .field("age", Field::integer().default(3))
        .field("vip", Field::boolean().default(true))
        .titled_choice("colour", [("r", "Red"), ("g", "Green")]);
    let filled: Value = cx.elicit("form", form)?.accepted()?;
    Ok(CallToolResult::text(filled.to_string()))
}

fn many(cx: &mut Cx, _: Args) -> Outcome {
    let days: Value = cx
        .elicit(
            "days",
            Form::new("Which days?").choices("days", ["sat", "sun"]),
        )?
        .accepted()?;
    Ok(CallToolResult::text(days.to_string()))
}

fn polite(cx: &mut Cx, _: Args) -> Outcome {
    match day(cx) {
        Err(error) if error.is_unaskable() => Ok(CallToolResult::text("any day")),
        day => Ok(CallToolResult::text(day?)),
    }
}

fn steps(cx: &mut Cx, _: Args) -> Outcome {
    for n in 1..=3 {
        cx.progress(Progress::from(n).of(3.0).message("on it"));
    }
    Ok(CallToolResult::text("done"))
}

fn logger(cx: &mut Cx, _: Args) -> Outcome {
    cx.log(LoggingLevel::Debug, "debug");
    cx.log(LoggingLevel::Error, "error");
    Ok(CallToolResult::text("logged"))
}

fn leave(cx: &mut Cx, _: Args) -> Outcome {
    cx.progress(1);
    cx.release();
    cx.progress(2);
    Ok(CallToolResult::text("left"))
}

async fn wait(cx: &mut Cx, _: Args) -> Outcome {
    cx.progress(1);
    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    Ok(CallToolResult::text("waited"))
}

fn chatter(cx: &mut Cx, _: Args) -> Outcome {
    for n in 0..20_000 {
        cx.progress(n);
        if n % 16 == 0 {
            std::thread::yield_now();
        }
    }
    Ok(CallToolResult::text("chatted"))
}

fn count(cx: &mut Cx, _: Args) -> Outcome {
    let calls = cx
        .assigns()
        .get("calls")
        .and_then(Value::as_u64)
        .unwrap_or(0)
        + 1;
    cx.assign("calls", calls);
    let tenant = cx.assigns().get("tenant").cloned().unwrap_or_default();
    Ok(CallToolResult::text(format!(
        "{calls} for {tenant} {:?}",
        cx.era()
    )))
}

pub fn builder() -> ServerBuilder {
    let tool = |name: &str| Tool::new(name).description(name).title("A title");
    Server::builder("test", "1.0.0")
        .single_process([7; 32])
        .legacy()
        .tool(tool("book").step(book))
        .tool(tool("both").step(both))
        .tool(tool("once").step(once))
        .tool(tool("sample").step(sample))
        .tool(tool("roots").step(roots))
        .tool(tool("url").step(url))
        .tool(tool("form").step(form))
        .tool(tool("many").step(many))
        .tool(tool("polite").step(polite))
        .tool(tool("steps").step(steps))
        .tool(tool("logger").step(logger))
        .tool(tool("leave").step(leave))
        .tool(tool("wait").step(wait))
        .tool(tool("chatter").step(chatter))
        .tool(tool("count").step(count))
        .prompt(
            Prompt::new("greet")
                .title("A title")
                .optional("name", "Whom")
                .step(|_: &mut Cx, _: Args| {
                    mcp_reprise::protocol::GetPromptResult::new([
                        mcp_reprise::protocol::PromptMessage::user("Hello"),
                    ])
                }),
        )
        .resource(Resource::new("test://a", "a").step(|cx: &mut Cx, _: Args| {
            mcp_reprise::protocol::ReadResourceResult::text(cx.name(), "text")
        }))
}

pub fn server() -> Server {
    builder().build().unwrap()
}

pub fn at(millis: u64) -> Moment {
    let mut dice = [0; 32];
    dice[..8].copy_from_slice(&(millis + 1).to_be_bytes());
    Moment::new(Timestamp::from_millis(millis), dice)
}

pub fn initialize(version: &str, capabilities: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": "init", "method": "initialize", "params": {
        "protocolVersion": version, "capabilities": capabilities,
        "clientInfo": {"name": "client", "version": "1"}}})
}

/// Everything a client can be asked.
pub fn able() -> Value {
    json!({"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}})
}

/// What went over one exchange.
#[derive(Debug, Clone, PartialEq)]
pub enum Said {
    Push(Value, Option<String>),
    Mark(String, Option<u64>),
    Opened,
    Response(u16, Value),
    Empty(u16),
    End,
    Cancel,
    Await(u64),
}

/// One session, driven by hand.
pub struct Client {
    pub server: Server,
    pub session: Session,
    pub said: Vec<(u64, Said)>,
    pub steps: Vec<(Step, Sink)>,
    pub observed: Vec<String>,
    pub now: u64,
    next: u64,
    id: u64,
}

impl Client {
    pub fn open(version: &str, capabilities: Value) -> Self {
        Self::over(Transport::Http, server(), version, capabilities)
    }

    pub fn over(transport: Transport, server: Server, version: &str, capabilities: Value) -> Self {
        let body = initialize(version, capabilities).to_string();
        let caller = Caller::anonymous();
        let (session, turn) = Session::open(
            &server,
            transport,
            Exchange(0),
            &caller,
            body.as_bytes(),
            &at(0),
        );
        let mut client = Self {
            server,
            session: session.unwrap(),
            said: Vec::new(),
            steps: Vec::new(),
            observed: Vec::new(),
            now: 0,
            next: 1,
            id: 0,
        };
        client.take(turn);
        client.notify("notifications/initialized", json!({}));
        client.said.clear();
        client
    }

    pub fn exchange(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    pub fn moment(&mut self) -> Moment {
        self.now += 1;
        at(self.now)
    }

    /// Sends a message, and gives its exchange.
    pub fn send(&mut self, message: &Value) -> u64 {
        self.send_as(Caller::anonymous(), message)
    }

    pub fn send_as(&mut self, caller: Caller, message: &Value) -> u64 {
        let (exchange, moment) = (self.exchange(), self.moment());
        let body = message.to_string();
        let turn = self.session.receive(
            &self.server,
            Exchange(exchange),
            caller,
            body.as_bytes(),
            &moment,
        );
        self.take(turn);
        exchange
    }

    pub fn request(&mut self, method: &str, params: Value) -> u64 {
        self.id += 1;
        let id = self.id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
    }

    pub fn notify(&mut self, method: &str, params: Value) -> u64 {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}))
    }

    /// Calls a tool, and runs what runs.
    pub fn call(&mut self, tool: &str) -> u64 {
        let exchange = self.request("tools/call", json!({"name": tool}));
        self.run();
        exchange
    }

    /// The result or the error of a request that needs no step.
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        let exchange = self.request(method, params);
        self.run();
        self.response(exchange)
    }

    pub fn answer(&mut self, id: &str, result: Value) -> u64 {
        let exchange = self.send(&json!({"jsonrpc": "2.0", "id": id, "result": result}));
        self.run();
        exchange
    }

    /// Runs all steps, and what comes of them.
    pub fn run(&mut self) {
        while let Some((step, sink)) = self.steps.pop() {
            let finished = step.run(&sink);
            for report in sink.drain() {
                let turn = self.session.report(&self.server, report);
                self.take(turn);
            }
            let moment = self.moment();
            let turn = self.session.finish(&self.server, finished, &moment);
            self.take(turn);
        }
    }

    pub fn take(&mut self, turn: Turn) {
        for observation in turn.observations {
            self.observed.push(format!("{observation:?}"));
        }
        for action in turn.actions {
            let exchange = action.exchange().0;
            self.said.push((exchange, said(action)));
        }
        for step in turn.steps {
            self.steps.push((step, Sink::default()));
        }
    }

    pub fn over_exchange(&self, exchange: u64) -> Vec<Said> {
        let said = self.said.iter().filter(|(on, _)| *on == exchange);
        said.map(|(_, said)| said.clone()).collect()
    }

    /// The messages pushed on an exchange.
    pub fn pushed(&self, exchange: u64) -> Vec<Value> {
        let said = self.over_exchange(exchange).into_iter();
        said.filter_map(|said| match said {
            Said::Push(message, _) => Some(message),
            _ => None,
        })
        .collect()
    }

    /// The questions pushed on an exchange: id and params.
    pub fn questions(&self, exchange: u64) -> Vec<(String, Value)> {
        self.pushed(exchange)
            .into_iter()
            .filter(|message| message["method"].is_string() && message["id"].is_string())
            .map(|mut message| {
                let id = message["id"].as_str().unwrap().to_owned();
                (id, message["params"].take())
            })
            .collect()
    }

    pub fn last_question(&self, exchange: u64) -> (String, Value) {
        self.questions(exchange).pop().expect("no question")
    }

    pub fn response(&self, exchange: u64) -> Value {
        let said = self.over_exchange(exchange);
        match said.last() {
            Some(Said::Response(_, message)) => message.clone(),
            other => panic!("no response on {exchange}: {other:?}"),
        }
    }

    pub fn text(&self, exchange: u64) -> String {
        text(&self.response(exchange))
    }

    pub fn connect(&mut self, last_event_id: Option<&str>) -> u64 {
        let (exchange, moment) = (self.exchange(), self.moment());
        let turn = self
            .session
            .connect(&self.server, Exchange(exchange), last_event_id, &moment);
        self.take(turn);
        exchange
    }

    pub fn disconnect(&mut self, exchange: u64) {
        let moment = self.moment();
        self.session.disconnected(Exchange(exchange), &moment);
    }

    /// Writes the session down, and reads it again.
    pub fn through_paper(&mut self) {
        let written = serde_json::to_string(&self.session).unwrap();
        self.session = serde_json::from_str(&written).unwrap();
    }
}

pub fn text(response: &Value) -> String {
    let text = &response["result"]["content"][0]["text"];
    text.as_str()
        .unwrap_or_else(|| panic!("no text: {response}"))
        .to_owned()
}

pub fn said(action: Action) -> Said {
    match action {
        Action::Respond { response, .. } => {
            let status = response.status.as_u16();
            match response.message {
                Some(message) => Said::Response(status, serde_json::from_slice(&message).unwrap()),
                None => Said::Empty(status),
            }
        }
        Action::Push { message, event, .. } => match event {
            Some(event) if message.is_empty() => Said::Mark(event.id, event.retry),
            None if message.is_empty() => Said::Opened,
            event => Said::Push(
                serde_json::from_slice(&message).unwrap(),
                event.map(|event| event.id),
            ),
        },
        Action::End { .. } => Said::End,
        Action::Cancel { .. } => Said::Cancel,
        Action::AwaitAnswer { deadline, .. } => Said::Await(deadline.as_millis()),
        other => panic!("{other:?}"),
    }
}

pub fn accept(content: Value) -> Value {
    json!({"action": "accept", "content": content})
}

pub fn limited(limits: Limits) -> Server {
    builder().limits(limits).build().unwrap()
}
