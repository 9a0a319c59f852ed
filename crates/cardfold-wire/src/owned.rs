//! Frames that outlive their line.

use std::borrow::Cow;

use crate::frame::{
    Body, Frame, PermissionDenied, PermissionRequest, Retry, Sidecar, SidecarRole, ToolProgress, TurnResult,
};
use crate::list::List;
use crate::message::{Assistant, Block, Handback, Structured, TaskRead, ToolInput, ToolResult, ToolUse, Usage, User};
use crate::parts::{enums, structs};
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

macro_rules! keep_enums {
    ($($type:ident {
        $($variant:ident $(($part:ident))? $({ $($field:ident),* })?),* $(,)?
    })*) => {
        $(impl Keep for $type<'_> {
            type Kept = $type<'static>;

            fn keep(self) -> Self::Kept {
                match self {
                    $(Self::$variant $(($part))? $({ $($field),* })? => {
                        $type::$variant $(($part.keep()))? $({ $($field: $field.keep()),* })?
                    })*
                }
            }
        })*
    };
}

keep_copied!(bool, i64, u64, NoticePlace, Retry, SidecarRole, TurnResult, Usage);

enums!(keep_enums);
structs!(keep_fields);
