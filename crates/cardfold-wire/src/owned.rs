//! Frames that outlive their line.

use std::borrow::Cow;

use crate::frame::{
    Body, Frame, PermissionDenied, PermissionRequest, Retry, Sidecar, SidecarRole, ToolProgress, TurnResult,
};
use crate::list::List;
use crate::message::{Assistant, Block, Handback, Structured, TaskRead, ToolInput, ToolResult, ToolUse, Usage, User};
use crate::parts::structs;
use crate::remark::{Annotation, Guess, Remark};
use crate::roster::{
    BackgroundTask, Notice, NoticePlace, Notices, TaskNotification, TaskProgress, TaskStarted, TaskUpdated,
    WorkflowAgent,
};
use crate::text::Text;

/// Makes a value its own: what it borrowed is copied.
pub(crate) trait Keep {
    type Kept;

    fn keep(self) -> Self::Kept;
}

impl Keep for Cow<'_, str> {
    type Kept = Cow<'static, str>;

    fn keep(self) -> Self::Kept {
        Cow::Owned(self.into_owned())
    }
}

impl Keep for Text<'_> {
    type Kept = Text<'static>;

    fn keep(self) -> Self::Kept {
        self.into_owned()
    }
}

impl<T: Keep> Keep for Option<T> {
    type Kept = Option<T::Kept>;

    fn keep(self) -> Self::Kept {
        self.map(T::keep)
    }
}

impl<T: Keep> Keep for Box<T> {
    type Kept = Box<T::Kept>;

    fn keep(self) -> Self::Kept {
        Box::new((*self).keep())
    }
}

impl<T: Keep> Keep for Vec<T> {
    type Kept = Vec<T::Kept>;

    fn keep(self) -> Self::Kept {
        self.into_iter().map(T::keep).collect()
    }
}

impl<T: Keep> Keep for List<T> {
    type Kept = List<T::Kept>;

    fn keep(self) -> Self::Kept {
        self.into_iter().map(T::keep).collect()
    }
}

impl Keep for Block<'_> {
    type Kept = Block<'static>;

    fn keep(self) -> Self::Kept {
        match self {
            Block::Other => Block::Other,
            Block::Text(text) => Block::Text(text.keep()),
            Block::ToolResult(result) => Block::ToolResult(result.keep()),
            Block::ToolUse(call) => Block::ToolUse(call.keep()),
        }
    }
}

impl Keep for Body<'_> {
    type Kept = Body<'static>;

    fn keep(self) -> Self::Kept {
        match self {
            Body::Assistant(assistant) => Body::Assistant(assistant.keep()),
            Body::BackgroundTasks(tasks) => Body::BackgroundTasks(tasks.keep()),
            Body::Init => Body::Init,
            Body::Notices(notices) => Body::Notices(notices.keep()),
            Body::PermissionDenied(denied) => Body::PermissionDenied(denied.keep()),
            Body::PermissionRequest(request) => Body::PermissionRequest(request.keep()),
            Body::PermissionSettled { request_id } => Body::PermissionSettled { request_id: request_id.keep() },
            Body::Quiet => Body::Quiet,
            Body::Remark(remark) => Body::Remark(remark.keep()),
            Body::Result(result) => Body::Result(result),
            Body::Sidecar(sidecar) => Body::Sidecar(sidecar.keep()),
            Body::TaskNotification(notification) => Body::TaskNotification(notification.keep()),
            Body::TaskProgress(progress) => Body::TaskProgress(progress.keep()),
            Body::TaskStarted(started) => Body::TaskStarted(started.keep()),
            Body::TaskUpdated(updated) => Body::TaskUpdated(updated.keep()),
            Body::ToolProgress(progress) => Body::ToolProgress(progress.keep()),
            Body::Unknown { kind } => Body::Unknown { kind: kind.keep() },
            Body::User(user) => Body::User(user.keep()),
        }
    }
}

macro_rules! keep_copied {
    ($($type:ty),*) => {
        $(impl Keep for $type {
            type Kept = Self;

            fn keep(self) -> Self {
                self
            }
        })*
    };
}

macro_rules! keep_fields {
    ($($type:ident { $($field:ident),* $(,)? })*) => {
        $(impl Keep for $type<'_> {
            type Kept = $type<'static>;

            fn keep(self) -> Self::Kept {
                $type { $($field: self.$field.keep()),* }
            }
        })*
    };
}

keep_copied!(bool, i64, u64, NoticePlace, Retry, SidecarRole, TurnResult, Usage);

structs!(keep_fields);
