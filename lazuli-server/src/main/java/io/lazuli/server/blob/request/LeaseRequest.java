package io.lazuli.server.blob.request;

import io.lazuli.server.blob.model.Lease;
import io.lazuli.server.blob.model.LeaseAction;
import io.lazuli.server.blob.model.LeaseId;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceException;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The headers of a lease operation; null for a header that is missing (blob-rest 5). */
public record LeaseRequest(
    @Nullable String action,
    @Nullable String id,
    @Nullable String proposedId,
    @Nullable String duration,
    @Nullable String breakPeriod) {
  private static final String ACTION = "x-ms-lease-action";
  private static final String ID = "x-ms-lease-id";
  private static final String PROPOSED_ID = "x-ms-proposed-lease-id";
  private static final String DURATION = "x-ms-lease-duration";
  private static final String BREAK_PERIOD = "x-ms-lease-break-period";
  private static final int DURATION_MIN = 15;
  private static final int SECONDS_MAX = 60;

  /**
   * Returns the action, or throws 400. Makes a new id only for an acquire that does not propose
   * one.
   */
  public LeaseAction toAction(Supplier<UUID> newId) {
    String verb = require(ACTION, action);
    return switch (verb.toLowerCase(Locale.ROOT)) {
      case "acquire" -> acquire(newId);
      case "renew" -> new LeaseAction.Renew(requireId(ID, id));
      case "change" ->
          new LeaseAction.Change(requireId(ID, id), requireId(PROPOSED_ID, proposedId));
      case "release" -> new LeaseAction.Release(requireId(ID, id));
      case "break" ->
          new LeaseAction.Break(breakPeriod == null ? null : seconds(BREAK_PERIOD, breakPeriod, 0));
      default -> throw invalid(ACTION, verb);
    };
  }

  private LeaseAction acquire(Supplier<UUID> newId) {
    String text = require(DURATION, duration);
    int seconds = text.equals("-1") ? Lease.INFINITE : seconds(DURATION, text, DURATION_MIN);
    UUID proposed = proposedId == null ? newId.get() : LeaseId.require(PROPOSED_ID, proposedId);
    return new LeaseAction.Acquire(proposed, seconds);
  }

  private static int seconds(String header, String text, int min) {
    int seconds = -1;
    if (text.length() <= 2 && text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      seconds = text.isEmpty() ? -1 : Integer.parseInt(text);
    }
    if (seconds < min || seconds > SECONDS_MAX) {
      throw invalid(header, text);
    }
    return seconds;
  }

  private static UUID requireId(String header, @Nullable String text) {
    return LeaseId.require(header, require(header, text));
  }

  private static String require(String header, @Nullable String text) {
    if (text == null) {
      throw CommonErrors.MISSING_REQUIRED_HEADER.exception().with("HeaderName", header);
    }
    return text.strip();
  }

  private static ServiceException invalid(String header, String value) {
    return CommonErrors.INVALID_HEADER_VALUE
        .exception()
        .with("HeaderName", header)
        .with("HeaderValue", value);
  }
}
