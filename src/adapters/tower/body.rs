//! The body of a response: whole, or a stream of events.

use std::convert::Infallible;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use ::http::{Response, StatusCode};
use ::http_body::{Frame, SizeHint};
use bytes::Bytes;

use super::plain;
use crate::http::Part;

/// Where the parts of one response come from.
pub(super) trait Parts: Send {
    /// The next part of the response, `None` at its end.
    fn poll_part(&mut self, context: &mut Context<'_>) -> Poll<Option<Part>>;
}

/// The response that begins with this part; the rest comes from where that came from.
pub(super) fn opened(first: Option<Part>, rest: impl Parts + 'static) -> Response<Body> {
    match first {
        Some(Part::Whole(response)) => response.map(Body::whole),
        Some(Part::Open(head)) => head.map(|()| Body::stream(rest)),
        _ => plain(StatusCode::INTERNAL_SERVER_ERROR),
    }
}

/// The body of a response.
pub struct Body(Inner);

enum Inner {
    Whole(Option<Bytes>),
    Stream(Box<dyn Parts>),
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Inner::Whole(_) => "Body(whole)",
            Inner::Stream(_) => "Body(stream)",
        })
    }
}

impl Body {
    pub(super) fn whole(bytes: Vec<u8>) -> Self {
        Self(Inner::Whole((!bytes.is_empty()).then(|| bytes.into())))
    }

    fn stream(parts: impl Parts + 'static) -> Self {
        Self(Inner::Stream(Box::new(parts)))
    }
}

impl ::http_body::Body for Body {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match &mut self.0 {
            Inner::Whole(bytes) => Poll::Ready(bytes.take().map(|bytes| Ok(Frame::data(bytes)))),
            Inner::Stream(parts) => match ready!(parts.poll_part(context)) {
                Some(Part::Data(data)) => Poll::Ready(Some(Ok(Frame::data(data.into())))),
                _ => Poll::Ready(None),
            },
        }
    }

    fn is_end_stream(&self) -> bool {
        matches!(self.0, Inner::Whole(None))
    }

    fn size_hint(&self) -> SizeHint {
        match &self.0 {
            Inner::Whole(bytes) => {
                SizeHint::with_exact(bytes.as_ref().map_or(0, Bytes::len) as u64)
            }
            Inner::Stream(_) => SizeHint::default(),
        }
    }
}
