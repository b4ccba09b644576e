//! Batches, which 2025-03-26 alone has: the requests are served one after the other, and answered
//! together.
//!
//! See [Batching](https://modelcontextprotocol.io/specification/2025-03-26/basic#batching).

use std::collections::VecDeque;

use super::envelope;
use super::receive::{Input, Served, rejected};
use super::session::{Batch, OpenCall, Session, Transport};
use super::stream::{Purpose, Stream};
use crate::action::Turn;
use crate::exchange::Response;
use crate::json::Json;
use crate::message::{self, Message, Unreadable};
use crate::moment::Moment;
use crate::offering::Offering;
use crate::protocol::ErrorObject;

impl Session {
    /// Serves an array of messages. What asks for no answer comes first.
    pub(super) fn batch(&mut self, input: Input<'_>, batch: Json<'_>) -> Turn {
        let (exchange, offering, moment) = (input.exchange, input.offering, input.moment);
        let most = offering.limits().open_requests;
        let fault = match batch.elements().take(most + 1).count() {
            0 => Some("A batch holds at least one message"),
            count if count > most => Some("The batch is longer than the limit"),
            _ => None,
        };
        if let Some(fault) = fault {
            let error = ErrorObject::invalid_request(fault);
            return self.unreadable(exchange, Unreadable { id: None, error });
        }
        let mut turn = Turn::default();
        let mut rest = VecDeque::new();
        let mut responses = Vec::new();
        for element in batch.elements() {
            let input = Input {
                caller: input.caller.clone(),
                ..input
            };
            match message::envelope(element) {
                Ok(Message::Request(_)) => rest.push_back(element.text().into()),
                Ok(Message::Notification(notification)) => {
                    turn.extend(self.notified(&input, &notification));
                }
                Ok(Message::Response) => turn.extend(self.answered(input, element)),
                Err(Unreadable { id, error }) => {
                    responses.push(envelope::error(self.version, id.as_ref(), &error));
                    turn.observations.push(rejected(exchange, &error));
                }
            }
        }
        if rest.is_empty() && responses.is_empty() {
            if self.transport == Transport::Http {
                let mut accepted = Turn::respond(exchange, Response::accepted());
                accepted.extend(turn);
                return accepted;
            }
            return turn;
        }
        let number = self.next_stream;
        self.next_stream += 1;
        let over_http = self.transport == Transport::Http;
        let stream = Stream::new(Purpose::Answer, exchange, over_http);
        self.streams.insert(number, stream);
        self.batches.insert(
            number,
            Batch {
                exchange,
                caller: input.caller,
                rest,
                responses,
            },
        );
        turn.extend(self.go_on(offering, moment, number));
        turn
    }

    /// Serves the requests of a batch until one has a step to run; at the end answers them all.
    pub(super) fn go_on(&mut self, offering: &Offering, moment: &Moment, stream: u64) -> Turn {
        let mut turn = Turn::default();
        loop {
            let Some(batch) = self.batches.get_mut(&stream) else {
                return turn;
            };
            let exchange = batch.exchange;
            let Some(text) = batch.rest.pop_front() else {
                let Some(batch) = self.batches.remove(&stream) else {
                    return turn;
                };
                turn.extend(self.respond_all(offering, stream, &batch.responses));
                return turn;
            };
            let input = Input {
                offering,
                exchange,
                caller: batch.caller.clone(),
                moment,
            };
            let outline = message::outline(text.as_bytes(), offering.limits());
            let read = match &outline {
                Ok(outline) => message::envelope(outline.json()),
                Err(unreadable) => Err(unreadable.clone()),
            };
            let (id, served) = match read {
                Ok(Message::Request(request)) => (
                    Some(request.id.clone()),
                    self.serve(input, request, Some(stream)),
                ),
                Ok(_) => continue,
                Err(Unreadable { id, error }) => (id, Err(error)),
            };
            let answer = match served {
                Ok(Served::Later(later)) => {
                    turn.extend(later);
                    return turn;
                }
                Ok(Served::Answer(result)) => Ok(result),
                Ok(Served::Refused(result, observed)) => {
                    turn.observations.extend(observed);
                    Ok(result)
                }
                Ok(Served::Forbidden(forbidden)) => Err(forbidden.error()),
                Err(error) => Err(error),
            };
            let message = match (answer, &id) {
                (Ok(result), Some(id)) => envelope::result(id, &result),
                (Ok(_), None) => continue,
                (Err(error), id) => {
                    turn.observations.push(rejected(exchange, &error));
                    envelope::error(self.version, id.as_ref(), &error)
                }
            };
            if let Some(batch) = self.batches.get_mut(&stream) {
                batch.responses.push(message);
            }
        }
    }

    fn respond_all(&mut self, offering: &Offering, stream: u64, responses: &[String]) -> Turn {
        if responses.is_empty() {
            // All were cancelled.
            let attached = self.streams.remove(&stream).and_then(|gone| gone.exchange);
            let end = attached.map(|exchange| crate::action::Action::Cancel { exchange });
            return end.map(Turn::act).unwrap_or_default();
        }
        let message = format!("[{}]", responses.join(","));
        self.respond(offering, stream, message)
    }

    /// Goes on without the answer to a call that was cancelled.
    pub(super) fn skip(&mut self, offering: &Offering, moment: &Moment, open: &OpenCall) -> Turn {
        self.go_on(offering, moment, open.stream)
    }
}
