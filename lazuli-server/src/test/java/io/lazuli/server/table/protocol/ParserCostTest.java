package io.lazuli.server.table.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.lazuli.server.Mutations;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.http.Query;
import io.lazuli.server.settings.AccessPolicyXml;
import io.lazuli.server.settings.ServicePropertiesXml;
import io.lazuli.server.table.model.EntityLimits;
import io.lazuli.server.table.model.Property;
import io.lazuli.server.table.query.QueryPlanner;
import io.lazuli.server.table.query.RecordPredicate;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Time and memory of each parser are proportional to the length of its worst input, and it needs
 * little stack.
 */
class ParserCostTest {
  /**
   * The memory that a parser may allocate for the longest body, 4 MiB. Most of it is several copies
   * of the body.
   */
  private static final long BYTES_MAX = 48 << 20;

  /** The bound of the ratio for eight times the input: 8 is linear, 64 is quadratic. */
  private static final long RATIO_MAX = 32;

  /**
   * Shorter times are noise. The JDK's reader is quadratic in the number of declared name spaces; a
   * document of 64 KiB, the longest, stays below the resulting bound.
   */
  private static final long NOISE_NANOS = 3_000_000;

  /** An input of a given approximate length, and its parser. */
  record Case(String name, int length, IntFunction<String> input, Consumer<String> parser) {
    void run(String text) {
      try {
        parser.accept(text);
      } catch (ServiceException e) {
        assertThat(e.text()).isNotEmpty();
      }
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> cases() {
    return Stream.of(filters(), entities(), batches(), documents(), urls()).flatMap(s -> s);
  }

  private static Stream<Case> filters() {
    Consumer<String> parser =
        text -> RecordPredicate.of(QueryPlanner.plan(ODataFilterParser.parse(text)).residual());
    int max = 128 << 10;
    return Stream.of(
        new Case("filter open", max, n -> "(".repeat(n), parser),
        new Case("filter deepest", max, n -> deepest(), parser),
        new Case("filter not", max, n -> "not ".repeat(n / 4), parser),
        new Case("filter quotes", max, n -> "A eq '" + "''".repeat(n / 2) + "'", parser),
        new Case("filter or", max, n -> joined(n / 12, " or ", i -> "A eq " + i), parser),
        new Case(
            "filter keys",
            max,
            n -> joined(n / 25, " or ", i -> "PartitionKey eq '" + i + "'"),
            parser),
        new Case(
            "filter and ne",
            max,
            n -> joined(n / 25, " and ", i -> "RowKey ne '" + i + "'"),
            parser),
        new Case("filter digits", max, n -> "A eq " + "1".repeat(n), parser),
        new Case("filter real", max, n -> "A eq 0." + "1".repeat(n), parser),
        new Case("filter exponent", max, n -> "A eq 1e" + "1".repeat(n), parser),
        new Case("filter name", max, n -> "A".repeat(n) + " eq 1", parser),
        new Case("filter braces", max, n -> "{text}".repeat(n / 6), parser),
        new Case("filter binary", max, n -> "A eq X'" + "00".repeat(n / 2) + "'", parser));
  }

  /** Returns a filter of the greatest allowed depth, with something to plan at every level. */
  private static String deepest() {
    int levels = ODataFilterParser.DEPTH_MAX / 2;
    return "(A eq 1 and PartitionKey gt 'a' or not ".repeat(levels - 1)
        + "Flag"
        + ")".repeat(levels - 1);
  }

  private static Stream<Case> entities() {
    Consumer<String> parser =
        text -> {
          List<Property> properties = EntityParser.parse(Mutations.toBytes(text)).properties();
          EntityLimits.checkNames(properties);
          EntityLimits.checkValues(properties, Integer.MAX_VALUE);
        };
    int max = 1 << 20;
    return Stream.of(
        new Case("json arrays", max, n -> "{\"A\":" + "[".repeat(n), parser),
        new Case("json skipped", max, n -> "{\"Timestamp\":" + "[".repeat(n), parser),
        new Case("json flat skipped", max, n -> "{\"Timestamp\":[" + "1,".repeat(n / 2), parser),
        new Case(
            "json members",
            max,
            n -> "{" + joined(n / 11, ",", i -> "\"a" + i + "\":1") + "}",
            parser),
        new Case(
            "json nulls",
            max,
            n -> "{" + joined(n / 14, ",", i -> "\"a" + i + "\":null") + "}",
            parser),
        new Case(
            "json annotations",
            max,
            n -> "{" + joined(n / 24, ",", i -> "\"a" + i + "@odata.type\":\"\"") + "}",
            parser),
        new Case("json string", max, n -> "{\"A\":\"" + "\\u0041".repeat(n / 6) + "\"}", parser),
        new Case("json digits", max, n -> "{\"A\":" + "1".repeat(n) + "}", parser),
        new Case("json name", max, n -> "{\"" + "A".repeat(n) + "\":1}", parser),
        new Case(
            "json double",
            max,
            n -> "{\"A@odata.type\":\"Edm.Double\",\"A\":\"" + "1".repeat(n) + "\"}",
            parser),
        new Case(
            "json binary",
            max,
            n -> "{\"A@odata.type\":\"Edm.Binary\",\"A\":\"" + "AAAA".repeat(n / 4) + "\"}",
            parser),
        new Case("json spaces", max, n -> " ".repeat(n), parser));
  }

  private static Stream<Case> batches() {
    Consumer<String> parser =
        text -> {
          BatchRequest batch =
              BatchRequest.parse(Mutations.toBytes(text), "multipart/mixed; boundary=b");
          for (BatchRequest.InnerRequest inner : batch.operations()) {
            TableRequest request = inner.addressed("a", "");
            TableRoute.of(request).decode(request);
          }
        };
    int max = 1 << 20;
    String head = "--b\nContent-Type: multipart/mixed; boundary=c\n\n";
    return Stream.of(
        new Case("batch parts", max, n -> "--b\n".repeat(n / 4), parser),
        new Case("batch changes", max, n -> head + "--c\n".repeat(n / 4), parser),
        new Case("batch operations", max, n -> head + "--c\n\nDELETE a\n".repeat(n / 14), parser),
        new Case(
            "batch part headers",
            max,
            n -> "--b\n" + joined(n / 9, "", i -> "a" + i + ":\n"),
            parser),
        new Case(
            "batch inner headers",
            max,
            n -> head + "--c\n\nDELETE a\n" + joined(n / 9, "", i -> "a" + i + ":\n"),
            parser),
        new Case("batch lines", max, n -> head + "\n".repeat(n), parser),
        new Case("batch blank lines", max, n -> head + "--c\n\n" + "\n".repeat(n), parser),
        new Case("batch words", max, n -> head + "--c\n\nGET " + "a ".repeat(n / 2), parser),
        new Case("batch one line", max, n -> "--b".repeat(n / 3), parser));
  }

  private static Stream<Case> documents() {
    Consumer<String> policies = text -> AccessPolicyXml.parse(Mutations.toBytes(text), "raud");
    Consumer<String> properties = text -> ServicePropertiesXml.parse(Mutations.toBytes(text), true);
    int max = 64 << 10;
    return Stream.of(
        new Case("xml deep", max, n -> "<a>".repeat(n / 3), policies),
        new Case("xml flat", max, n -> "<a>" + "<b/>".repeat(n / 4), policies),
        new Case(
            "xml attributes", max, n -> "<a " + joined(n / 9, " ", i -> "a" + i + "=''"), policies),
        new Case(
            "xml name spaces",
            max,
            n -> "<a " + joined(n / 16, " ", i -> "xmlns:a" + i + "='b'"),
            policies),
        new Case("xml references", max, n -> "<a>" + "&amp;".repeat(n / 5), policies),
        new Case("xml cdata", max, n -> "<a>" + "<![CDATA[]]>".repeat(n / 12), policies),
        new Case("xml comments", max, n -> "<!---->".repeat(n / 7) + "<a/>", policies),
        new Case(
            "xml list",
            max,
            n ->
                "<StorageServiceProperties><Cors><CorsRule><AllowedMethods>"
                    + ",".repeat(n - 300)
                    + "</AllowedMethods></CorsRule></Cors></StorageServiceProperties>",
            properties),
        new Case(
            "xml rules",
            max,
            n ->
                "<StorageServiceProperties><Cors>"
                    + "<CorsRule/>".repeat(n / 12)
                    + "</Cors></StorageServiceProperties>",
            properties));
  }

  private static Stream<Case> urls() {
    Consumer<String> path = text -> ResourcePath.parse(text, "account");
    Consumer<String> query =
        text ->
            Query.parse(text)
                .parameters()
                .forEach(p -> Projection.parse(ContinuationToken.decode(p.value())));
    int max = 128 << 10;
    return Stream.of(
        new Case("path keys", max, n -> "/a(" + "'',".repeat(n / 3) + "'')", path),
        new Case("path quotes", max, n -> "/a('" + "''".repeat(n / 2) + "')", path),
        new Case("path escapes", max, n -> "/" + "%41".repeat(n / 3), path),
        new Case("path slashes", max, n -> "/".repeat(n), path),
        new Case("query parameters", max, n -> "a&".repeat(n / 2), query),
        new Case("query select", max, n -> "$select=" + joined(n / 7, ",", i -> "a" + i), query),
        new Case("query token", max, n -> "NextRowKey=1!" + n + "!" + "A".repeat(n), query));
  }

  private static String joined(int count, String separator, IntFunction<String> item) {
    return IntStream.range(0, count).mapToObj(item).collect(Collectors.joining(separator));
  }

  /** Runs with half of the usual stack; the recursion needs far less. */
  @ParameterizedTest
  @MethodSource("cases")
  void costGrowsWithTheInputAndNotFaster(Case each) throws InterruptedException {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread thread = new Thread(null, () -> assertCost(each), "half a stack", 512 << 10);
    thread.setUncaughtExceptionHandler((where, what) -> failure.set(what));
    thread.start();
    thread.join();
    assertThat(failure.get()).isNull();
  }

  private static void assertCost(Case each) {
    String small = each.input.apply(each.length / 8);
    for (int i = 0; i < 3; i++) {
      each.run(small);
    }
    Cost ofSmall = Cost.of(each, small);
    Cost ofLarge = Cost.of(each, each.input.apply(each.length));
    assertThat(ofLarge.bytes).isLessThan(BYTES_MAX);
    assertThat(ofLarge.nanos).isLessThan(RATIO_MAX * Math.max(ofSmall.nanos, NOISE_NANOS));
  }

  /** The cost of a call for its thread, the best of several runs. */
  private record Cost(long bytes, long nanos) {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    static Cost of(Case each, String text) {
      long bytes = Long.MAX_VALUE;
      long nanos = Long.MAX_VALUE;
      for (int i = 0; i < 3; i++) {
        long allocated = THREADS.getCurrentThreadAllocatedBytes();
        long time = THREADS.getCurrentThreadCpuTime();
        each.run(text);
        nanos = Math.min(nanos, THREADS.getCurrentThreadCpuTime() - time);
        bytes = Math.min(bytes, THREADS.getCurrentThreadAllocatedBytes() - allocated);
      }
      return new Cost(bytes, nanos);
    }
  }
}
