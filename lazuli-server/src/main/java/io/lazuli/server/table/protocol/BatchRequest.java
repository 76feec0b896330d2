package io.lazuli.server.table.protocol;

import io.lazuli.server.http.Query;
import io.lazuli.server.table.model.TableErrors;
import io.lazuli.server.wire.Multipart;
import io.lazuli.server.wire.Multipart.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A parsed {@code $batch} body: either the writes of one change set, or one read (table-rest 8). A
 * malformed body is refused with 400. Errors of a single operation are found when that operation is
 * decoded.
 *
 * @param reading true if the batch is one read, outside of a change set
 */
record BatchRequest(boolean reading, List<InnerRequest> operations) {
  /**
   * One operation of a batch.
   *
   * @param target the path and query of the request line
   * @param message headers and body
   * @param contentId the inner {@code Content-ID}, which the answer repeats; null if there is none
   */
  record InnerRequest(String method, String target, Part message, @Nullable String contentId) {
    /**
     * Converts the operation to a request of the same form as one that is sent alone to the
     * account.
     */
    TableRequest addressed(String account, String base) {
      int mark = target.indexOf('?');
      String path = below(account, mark < 0 ? target : target.substring(0, mark));
      Query query = Query.parse(mark < 0 ? "" : target.substring(mark + 1));
      return new TableRequest(
          effectiveMethod(),
          ResourcePath.parse(path, account),
          query,
          account,
          base,
          this::values,
          message.trimmed());
    }

    /**
     * Returns the effective verb. Observed: azure-storage 8.6.6 sends {@code X-HTTP-Method: MERGE}
     * with the verb MERGE, which is accepted here.
     */
    private String effectiveMethod() {
      List<String> tunnelled = values("X-HTTP-Method");
      return tunnelled.equals(List.of(method))
          ? method
          : TableRequest.effectiveMethod(method, tunnelled);
    }

    private List<String> values(String name) {
      String value = message.header(name);
      return value == null ? List.of() : List.of(value);
    }
  }

  /**
   * The maximum number of operations that are read: one more than a transaction may have, so that a
   * batch that is too long is noticed and refused.
   */
  private static final int OPERATIONS_READ_MAX = 101;

  private static final Pattern VERSION = Pattern.compile("HTTP/\\d\\.\\d");

  private static final List<String> WRITES = List.of("POST", "PUT", "PATCH", "MERGE", "DELETE");

  static BatchRequest parse(byte[] body, @Nullable String contentType) {
    String boundary = Multipart.boundary(contentType);
    List<Part> parts = boundary == null ? null : Multipart.parse(body, 0, body.length, boundary, 2);
    if (parts == null || parts.size() != 1) {
      throw TableErrors.INVALID_INPUT.exception();
    }
    Part only = parts.get(0);
    String inner = Multipart.boundary(only.header("Content-Type"));
    return inner == null ? read(only) : changeSet(only, inner);
  }

  private static BatchRequest read(Part part) {
    InnerRequest request = innerRequest(part);
    if (!request.method.equals("GET")) {
      throw TableErrors.INVALID_INPUT.exception();
    }
    return new BatchRequest(true, List.of(request));
  }

  private static BatchRequest changeSet(Part part, String boundary) {
    List<Part> parts =
        Multipart.parse(part.bytes(), part.from(), part.to(), boundary, OPERATIONS_READ_MAX);
    if (parts == null || parts.isEmpty()) {
      throw TableErrors.INVALID_INPUT.exception();
    }
    List<InnerRequest> operations = new ArrayList<>(parts.size());
    for (Part operation : parts) {
      InnerRequest request = innerRequest(operation);
      if (!WRITES.contains(request.method)) {
        throw TableErrors.INVALID_INPUT.exception();
      }
      operations.add(request);
    }
    return new BatchRequest(false, operations);
  }

  private static InnerRequest innerRequest(Part part) {
    byte[] bytes = part.bytes();
    int line = part.from();
    int end = Multipart.lineEnd(bytes, line, part.to());
    while (end < part.to() && Multipart.text(bytes, line, end).isBlank()) {
      line = end;
      end = Multipart.lineEnd(bytes, line, part.to());
    }
    String text = Multipart.text(bytes, line, end).strip();
    int verb = text.indexOf(' ');
    if (verb < 0) {
      throw TableErrors.INVALID_INPUT.exception();
    }
    Part message = Multipart.message(bytes, end, part.to());
    return new InnerRequest(
        text.substring(0, verb),
        withoutVersion(text.substring(verb).strip()),
        message,
        message.header("Content-ID"));
  }

  /**
   * Removes the HTTP version, if there is one. Only the last word can be the version, because the
   * URL may contain spaces: {@code 'p', RowKey='r'}.
   */
  private static String withoutVersion(String target) {
    int space = target.lastIndexOf(' ');
    return space > 0 && VERSION.matcher(target.substring(space + 1)).matches()
        ? target.substring(0, space).strip()
        : target;
  }

  /**
   * Returns the path below the account. The URL may have any host, and may or may not contain the
   * account.
   */
  private static String below(String account, String target) {
    String path = target;
    int scheme = path.indexOf("://");
    if (scheme > 0 && path.indexOf('/') > scheme) {
      int slash = path.indexOf('/', scheme + 3);
      path = slash < 0 ? "" : path.substring(slash);
    }
    path = path.startsWith("/") ? path.substring(1) : path;
    for (String prefix : List.of(account + "/", account + "-secondary/")) {
      if (path.startsWith(prefix)) {
        return path.substring(prefix.length());
      }
    }
    return path;
  }
}
