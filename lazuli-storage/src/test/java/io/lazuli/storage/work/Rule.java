package io.lazuli.storage.work;

import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A rule of {@link WorkLeases}, and the class without it. */
enum Rule {
  A_BEAT_COUNTS_FROM_ITS_SENDING {
    @Override
    WorkLeases without(WorkRows rows, LongSupplier clock, LongSupplier sessions) {
      return new WorkLeases(rows, true, "", clock, sessions) {
        @Override
        long reliesUntil(long sentNanos) {
          return clock.getAsLong() + VALID.toNanos();
        }
      };
    }
  },
  A_BEAT_IS_RELIED_ON_FOR_LESS_THAN_THE_SILENCE {
    @Override
    WorkLeases without(WorkRows rows, LongSupplier clock, LongSupplier sessions) {
      return new WorkLeases(rows, true, "", clock, sessions) {
        @Override
        long reliesUntil(long sentNanos) {
          return sentNanos + SILENCE.multipliedBy(2).toNanos();
        }
      };
    }
  },
  A_REMOVAL_REQUIRES_THE_COUNT {
    @Override
    WorkLeases without(WorkRows rows, LongSupplier clock, LongSupplier sessions) {
      return new WorkLeases(rows, true, "", clock, sessions) {
        @Override
        boolean isUnchanged(byte[] row, long seenCount) {
          return true;
        }
      };
    }
  },
  A_BEAT_REQUIRES_THE_SESSION {
    @Override
    WorkLeases without(WorkRows rows, LongSupplier clock, LongSupplier sessions) {
      return new WorkLeases(rows, true, "", clock, sessions) {
        @Override
        boolean hasSession(byte @Nullable [] row) {
          return true;
        }
      };
    }
  },
  A_SHARD_IS_TAKEN_FROM_NOBODY_ALIVE {
    @Override
    WorkLeases without(WorkRows rows, LongSupplier clock, LongSupplier sessions) {
      return new WorkLeases(rows, true, "", clock, sessions) {
        @Override
        boolean isGone(byte @Nullable [] row) {
          return true;
        }
      };
    }
  },
  A_CURSOR_REQUIRES_THE_OWNER {
    @Override
    WorkLeases without(WorkRows rows, LongSupplier clock, LongSupplier sessions) {
      return new WorkLeases(rows, true, "", clock, sessions) {
        @Override
        boolean mayStore(byte @Nullable [] ownRow, long owner, long session) {
          return true;
        }
      };
    }
  },
  A_SHARD_IS_GIVEN_UP_BETWEEN_PIECES {
    @Override
    WorkLeases without(WorkRows rows, LongSupplier clock, LongSupplier sessions) {
      return new WorkLeases(rows, true, "", clock, sessions) {
        @Override
        boolean mayGiveUp(boolean underWay) {
          return true;
        }
      };
    }
  };

  abstract WorkLeases without(WorkRows rows, LongSupplier clock, LongSupplier sessions);
}
