package io.lazuli.client.query;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How a Lazuli server executed one request of a query. Immutable.
 *
 * @param kind {@code point}, {@code seeks(n)}, {@code range}, {@code partition scan}, {@code table
 *     scan}, or {@code none} if nothing can match
 * @param entitiesRead the number of entities that the server read for this request
 */
public record ServerPlan(String kind, long entitiesRead) {
  private static final Pattern HEADER = Pattern.compile("([^;]+); *read=([0-9]{1,18})(;.*)?");

  /** Returns the plan in a header of an answer; null if the header has another format. */
  public static @Nullable ServerPlan parse(String header) {
    Matcher plan = HEADER.matcher(header.strip());
    return plan.matches() ? new ServerPlan(plan.group(1), Long.parseLong(plan.group(2))) : null;
  }
}
