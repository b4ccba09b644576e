//! The body of a response: whole, or a stream of events.

use std::convert::Infallible;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use ::http_body::{Frame, SizeHint};
use bytes::Bytes;

use super::running::Running;
use crate::http::Part;

/// The body of a response.
pub struct Body(Inner);

enum Inner {
    Whole(Option<Bytes>),
    Stream(Box<Running>),
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

    pub(super) fn stream(running: Running) -> Self {
        Self(Inner::Stream(Box::new(running)))
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
            Inner::Stream(running) => match ready!(running.poll_part(context)) {
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
