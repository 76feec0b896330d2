package io.lazuli.server.table.protocol;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import io.lazuli.server.table.explain.Explanation;
import io.lazuli.server.table.explain.ExplanationJson;
import io.lazuli.server.table.model.EdmValue.StringValue;
import io.lazuli.server.table.model.SystemProperties;
import io.lazuli.server.table.query.Filter;
import io.lazuli.server.table.query.Filter.Comparison;
import io.lazuli.server.table.query.Operator;
import io.lazuli.server.table.service.TableOperation.ExplainQuery;
import io.lazuli.server.table.service.TableOperation.FindEntity;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The header {@code x-lazuli-explain}: asks for the explanation of a query instead of its entities,
 * or with them (docs/console-api.md).
 */
enum ExplainHeader {
  /** The query is only run. */
  NOT,
  /** The query is only explained. */
  ONLY,
  /**
   * The query is only explained, by a header of an answer without entities: SDKs refuse any other
   * body.
   */
  HEADER,
  /** The query is run, and a header of its answer explains it. */
  WITH;

  private static final String NAME = "x-lazuli-explain";
  private static final String PLAN = "x-lazuli-plan";
  private static final String NO_ENTITIES = "{\"value\":[]}";

  static ExplainHeader of(Request request) {
    String value = request.header(NAME);
    if (value == null) {
      return NOT;
    }
    return switch (value) {
      case "only" -> ONLY;
      case "header" -> HEADER;
      case "with" -> WITH;
      default ->
          throw CommonErrors.INVALID_HEADER_VALUE
              .exception()
              .with("HeaderName", NAME)
              .with("HeaderValue", value);
    };
  }

  /** Returns the explanation of a request for one entity by its address. */
  static ExplainQuery ofEntity(FindEntity find) {
    Filter keys =
        Filter.and(
            List.of(
                equal(SystemProperties.PARTITION_KEY, find.key().partitionKey()),
                equal(SystemProperties.ROW_KEY, find.key().rowKey()),
                find.filter()));
    return new ExplainQuery(find.table(), keys, true);
  }

  private static Filter equal(String key, String value) {
    return new Comparison(key, Operator.EQ, new StringValue(value));
  }

  /** Returns whether the query is not run. */
  boolean explainsOnly() {
    return this == ONLY || this == HEADER;
  }

  /** Returns the answer to a query that was only explained. */
  Response answer(Explanation explanation) {
    if (this == HEADER) {
      return Response.of(200)
          .header(PLAN, ExplanationJson.header(explanation))
          .body("application/json", NO_ENTITIES.getBytes(StandardCharsets.US_ASCII))
          .build();
    }
    byte[] body = ExplanationJson.text(explanation).getBytes(StandardCharsets.US_ASCII);
    return Response.of(200)
        .header(PLAN, explanation.kind() + "; read=0")
        .body("application/json", body)
        .build();
  }

  /** Replaces the plan in the headers of an answer. */
  static Response with(Response answer, Explanation explanation) {
    Response.Builder out = Response.of(answer.status()).body(answer.body());
    if (answer.streamed() != null) {
      out.body(answer.streamed());
    }
    for (int i = 0; i < answer.headers().size(); i += 2) {
      String name = answer.headers().get(i);
      boolean plan = name.equals(PLAN);
      out.header(name, plan ? ExplanationJson.header(explanation) : answer.headers().get(i + 1));
    }
    return out.build();
  }
}
