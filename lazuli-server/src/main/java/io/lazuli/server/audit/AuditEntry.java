package io.lazuli.server.audit;

import io.lazuli.server.event.KeyUse;
import io.lazuli.server.event.OperationType;
import io.lazuli.server.event.RequestEvent;
import io.lazuli.server.event.Subject;
import org.jspecify.annotations.Nullable;

/**
 * One change, before its line is written. Texts of clients are bounded here, because entries wait
 * in memory.
 *
 * @param request the id of the request; empty for a change that no request made
 * @param service the service, {@code admin}, or {@code server}
 * @param what the changed thing, if it is not in the path; empty if it is
 * @param key the PartitionKey, or the name of the blob if it is not in the path; empty if there is
 *     none
 * @param writes the number of changed entities, if there can be several; 0 otherwise
 * @param status the status of the answer; 0 for a change that no request made
 * @param who null if the server did not verify who sent the request
 * @param claimed what the request claimed to be authenticated with
 */
record AuditEntry(
    long millis,
    String request,
    String service,
    String operation,
    String account,
    String path,
    String what,
    String key,
    String row,
    int writes,
    int status,
    String error,
    @Nullable Subject who,
    String claimed,
    String from) {
  private static final int PATH_CHARS_MAX = 1_024;
  private static final int TEXT_CHARS_MAX = 512;

  private static final KeyUse NO_KEYS = KeyUse.of("");

  /** The memory of an entry without its texts. */
  private static final int ENTRY_BYTES = 400;

  /** Returns the entry of a request or of a part of one. */
  static AuditEntry of(
      long millis,
      String service,
      OperationType operation,
      RequestEvent event,
      String path,
      String from) {
    boolean inPath = service.equals("blob") || service.equals("queue");
    KeyUse keys = inPath || event.keys() == null ? NO_KEYS : event.keys();
    String row = keys.row();
    return new AuditEntry(
        millis,
        event.requestId(),
        service,
        operation.documentedName(),
        cut(event.account(), TEXT_CHARS_MAX),
        cut(path, PATH_CHARS_MAX),
        "",
        cut(keys.partition(), TEXT_CHARS_MAX),
        row == null ? "" : cut(row, TEXT_CHARS_MAX),
        keys.writes() > 1 ? keys.writes() : 0,
        event.status(),
        event.errorCode(),
        bounded(event.subject()),
        claimed(event),
        from);
  }

  /** Returns the entry of a change that no request made. */
  static AuditEntry ofServer(long millis, String operation, String account, String what) {
    return new AuditEntry(
        millis,
        "",
        "server",
        operation,
        account,
        "",
        cut(what, PATH_CHARS_MAX),
        "",
        "",
        0,
        0,
        "",
        null,
        "",
        "");
  }

  /** Returns whether the entry is about a request of somebody whom the server did not verify. */
  boolean isOfStranger() {
    return status != 0 && who == null;
  }

  /** Returns the memory of the entry in bytes, rather too high than too low. */
  int weight() {
    return ENTRY_BYTES + 2 * (path.length() + what.length() + key.length() + row.length());
  }

  private static String claimed(RequestEvent event) {
    return switch (event.authentication()) {
      case KEY -> "authorization";
      case SAS -> "sas";
      case ANONYMOUS -> "none";
    };
  }

  private static @Nullable Subject bounded(@Nullable Subject who) {
    return who == null
        ? null
        : new Subject(
            who.kind(),
            who.key(),
            cutOrNull(who.name()),
            cutOrNull(who.issuer()),
            cutOrNull(who.object()),
            cutOrNull(who.application()),
            cutOrNull(who.subject()));
  }

  private static @Nullable String cutOrNull(@Nullable String text) {
    return text == null ? null : cut(text, TEXT_CHARS_MAX);
  }

  private static String cut(String text, int charsMax) {
    return text.length() <= charsMax ? text : text.substring(0, charsMax) + "…";
  }
}
