package io.lazuli.server.table.protocol;

import io.lazuli.server.http.Query;
import io.lazuli.server.table.model.IfMatch;
import io.lazuli.server.table.model.TableErrors;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One operation on the wire, sent alone or in a batch, with everything that its decoder and its
 * encoder need.
 *
 * @param method the effective verb, after {@code X-HTTP-Method}
 * @param base the URL of the account, for links
 * @param header returns the values of a header
 */
record TableRequest(
    String method,
    ResourcePath path,
    Query query,
    String account,
    String base,
    Function<String, List<String>> header,
    byte[] body) {

  private static final List<String> TUNNELLED = List.of("MERGE", "PUT", "PATCH", "DELETE");

  /** Returns the effective verb: a POST may name another verb in a header (table-rest 6.12). */
  static String effectiveMethod(String sent, List<String> tunnelled) {
    if (tunnelled.isEmpty()) {
      return sent;
    }
    if (tunnelled.size() > 1) {
      throw TableErrors.XMETHOD_INCORRECT_COUNT.exception();
    }
    if (!sent.equals("POST")) {
      throw TableErrors.XMETHOD_NOT_USING_POST.exception();
    }
    if (!TUNNELLED.contains(tunnelled.get(0))) {
      throw TableErrors.XMETHOD_INCORRECT_VALUE.exception();
    }
    return tunnelled.get(0);
  }

  @Nullable String first(String name) {
    List<String> values = header.apply(name);
    return values.isEmpty() ? null : values.get(0);
  }

  MetadataLevel level() {
    return MediaTypes.level(query.first("$format"), first("Accept"));
  }

  Preference preference() {
    return Preference.parse(first("Prefer"));
  }

  IfMatch condition() {
    return IfMatch.parse(first("If-Match"));
  }

  Projection projection() {
    return Projection.parse(query.first("$select"));
  }
}
