package io.lazuli.storage.hbase.login;

import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import javax.security.auth.kerberos.KerberosTicket;

/**
 * How long a ticket is valid. It is replaced after half of its life, so that the other half is left
 * if the key distribution centre is away.
 */
record TicketLife(Instant start, Instant end) {
  private static final Duration PAUSE_MIN = Duration.ofSeconds(1);

  /** A clock that was set, or a machine that slept, is noticed after this time. */
  private static final Duration PAUSE_MAX = Duration.ofSeconds(30);

  private static final Duration PAUSE_AFTER_END = Duration.ofSeconds(5);

  /** Attempts in the second half of the life. */
  private static final int ATTEMPTS = 20;

  static TicketLife of(KerberosTicket ticket) {
    Date start = ticket.getStartTime();
    return new TicketLife(
        (start != null ? start : ticket.getAuthTime()).toInstant(),
        ticket.getEndTime().toInstant());
  }

  /** Returns when the ticket is replaced. */
  Instant due() {
    return start.plus(Duration.between(start, end).dividedBy(2));
  }

  /** Returns how long to wait before the next look at the ticket. */
  Duration pause(Instant now) {
    if (!now.isBefore(end)) {
      return PAUSE_AFTER_END;
    }
    Duration left =
        now.isBefore(due())
            ? Duration.between(now, due())
            : Duration.between(due(), end).dividedBy(ATTEMPTS);
    if (left.compareTo(PAUSE_MAX) > 0) {
      return PAUSE_MAX;
    }
    return left.compareTo(PAUSE_MIN) < 0 ? PAUSE_MIN : left;
  }
}
