package io.lazuli.conformance.queue.rest;

import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Differs;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.SeenOn;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.queue.ScratchQueue;
import io.lazuli.conformance.wire.Keys;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireClient;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** List Queues: which queues it returns, in what order, and page by page. */
@Covers(value = Area.PAGING, service = StorageService.QUEUE)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QueueListConformanceTest {

  private static final Pattern NAME = Pattern.compile("<Name>([^<]*)</Name>");
  private static final Pattern MARKER = Pattern.compile("<NextMarker>([^<]*)</NextMarker>");

  private final WireClient wire = ScratchQueue.sharedWire();
  private final String prefix = ScratchQueue.freshName();
  private final List<String> all =
      List.of(prefix + "-10", prefix + "-2", prefix + "-a", prefix + "a", prefix + "z");

  @BeforeAll
  void createThem() {
    for (String name : List.of("z", "-a", "a", "-2", "-10")) {
      ScratchQueue queue = ScratchQueue.named(prefix + name);
      expect(wire.request("PUT", queue.path()).header("x-ms-meta-Team", "sales" + name).send())
          .status(201);
    }
  }

  private WireAnswer list(String query) {
    WireAnswer answer = wire.get("/?comp=list&prefix=" + prefix + query).send();
    expect(answer).status(200).header("Content-Type", "application/xml");
    return answer;
  }

  private static List<String> names(WireAnswer answer) {
    return NAME.matcher(answer.text()).results().map(found -> found.group(1)).toList();
  }

  private static String marker(WireAnswer page) {
    Matcher found = MARKER.matcher(page.xml());
    return found.find() ? found.group(1) : "";
  }

  @Test
  @Documented("queue-rest 4.1, 14 list: names in ascending ordinal order, and the exact document")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019 to 2023")
  void aListingHasThePartsThatWereAskedForInTheirOrder() {
    WireAnswer answer = list("");
    String queues =
        "<Queues><Queue><Name>"
            + String.join("</Name></Queue><Queue><Name>", all)
            + "</Name></Queue></Queues>";
    assertThat(answer.xml())
        .isEqualTo(
            "<EnumerationResults ServiceEndpoint=\""
                + wire.account().base()
                + "/\"><Prefix>"
                + prefix
                + "</Prefix>"
                + queues
                + "<NextMarker /></EnumerationResults>");
  }

  @Test
  @Documented("queue-rest 4.1, 14 list: include=metadata")
  void metadataIsListedOnDemand() {
    ScratchQueue bare = ScratchQueue.named(prefix + "zz");
    expect(wire.request("PUT", bare.path()).send()).status(201);
    assertThat(list("&include=metadata").xml())
        .contains("<Name>" + prefix + "a</Name><Metadata><Team>salesa</Team></Metadata></Queue>")
        .contains("<Name>" + bare.name() + "</Name><Metadata /></Queue>");
    expect(wire.delete(bare.path()).send()).status(204);
    assertThat(list("").text()).doesNotContain("Metadata");
  }

  @Test
  @Documented("queue-rest 4.1, 14 list: include= as the Java client sends it")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019 to 2023")
  @Differs("Azurite 3.35.0 answers 400")
  void anEmptyIncludeIsNone() {
    WireAnswer answer = list("&include=");
    assertThat(names(answer)).isEqualTo(all);
    assertThat(answer.text()).doesNotContain("Metadata");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 6, 5000})
  @Documented("queue-rest 4.1, 14 list: paging")
  @Differs("Azurite 3.37.0 repeats the first page if queues were not created in name order")
  void pagesFollowEachOtherWithoutGapsOrRepeats(int size) {
    List<String> seen = new ArrayList<>();
    String next = "";
    do {
      WireAnswer page = list("&maxresults=" + size + next);
      assertThat(page.xml()).contains("<MaxResults>" + size + "</MaxResults>");
      assertThat(names(page)).hasSizeBetween(1, size);
      seen.addAll(names(page));
      assertThat(seen).doesNotHaveDuplicates();
      String marker = marker(page);
      next = marker.isEmpty() ? "" : "&marker=" + Keys.encode(marker);
    } while (!next.isEmpty());
    assertThat(seen).isEqualTo(all);
  }

  @ParameterizedTest
  @ValueSource(strings = {"5001", "9001", "999999999999"})
  @Documented("queue-rest 4.1; blob-features 10.2: A15, the answer shows the number that counts")
  void theAnswerShowsAtMost5000(String max) {
    WireAnswer answer = list("&maxresults=" + max);
    assertThat(answer.xml()).contains("</Prefix><MaxResults>5000</MaxResults><Queues>");
    assertThat(names(answer)).isEqualTo(all);
  }

  @Test
  @Documented("queue-rest 4.1: /account/name of the next queue, inclusive and echoed")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019 to 2023")
  @Differs("Azurite 3.37.0 has its own markers")
  void aMarkerNamesTheNextQueue() {
    String marker = marker(list("&maxresults=2"));
    assertThat(marker).isEqualTo("/" + wire.account().name() + "/" + all.get(2));
    WireAnswer rest = list("&marker=" + Keys.encode(marker));
    assertThat(names(rest)).isEqualTo(all.subList(2, 5));
    assertThat(rest.xml())
        .contains("</Prefix><Marker>" + marker + "</Marker><Queues>")
        .endsWith("<NextMarker /></EnumerationResults>");
  }

  @Test
  @Documented("queue-rest 4.1: a marker may name a queue that is gone by now")
  void aMarkerOfADeletedQueueStartsAtTheNext() {
    String gone = "/" + wire.account().name() + "/" + prefix + "-9";
    assertThat(names(list("&marker=" + Keys.encode(gone)))).isEqualTo(all.subList(2, 5));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-", "-1", "a", "zz", "-10"})
  @Documented("queue-rest 4.1, 14 list: prefix")
  void aPrefixSelects(String more) {
    WireAnswer answer = wire.get("/?comp=list&prefix=" + prefix + more).send();
    expect(answer).status(200);
    assertThat(names(answer))
        .isEqualTo(all.stream().filter(name -> name.startsWith(prefix + more)).toList());
  }

  @Test
  @Documented("queue-rest 4.1, 14 list: Queues and NextMarker are always present")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019 to 2023")
  void anEmptyListingHasItsElements() {
    WireAnswer answer = wire.get("/?comp=list&prefix=" + ScratchQueue.freshName()).send();
    expect(answer).status(200);
    assertThat(answer.xml()).endsWith("</Prefix><Queues /><NextMarker /></EnumerationResults>");
  }

  @Test
  @Documented("queue-rest 4.1: an empty prefix does not filter and is not echoed")
  void anEmptyPrefixIsNone() {
    WireAnswer answer = wire.get("/?comp=list&prefix=&maxresults=1").send();
    expect(answer).status(200);
    assertThat(names(answer)).hasSize(1);
    assertThat(answer.text()).doesNotContain("<Prefix");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/"})
  @Covers(Area.ADDRESSING)
  @Documented("queue-rest 2.1: with a slash, or without one as Java sends it")
  void theServiceIsAddressedWithAndWithoutASlash(String slash) {
    if (slash.isEmpty() && !wire.account().isPathStyle()) {
      return;
    }
    expect(wire.get(slash + "?comp=list&prefix=" + prefix).send()).status(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1"})
  @Covers(Area.LIMITS)
  @Documented("queue-rest 4.1: do, the code is uncertain")
  void maxresultsIsPositive(String max) {
    expect(wire.get("/?comp=list&maxresults=" + max).send())
        .error(400, "OutOfRangeQueryParameterValue");
  }

  @ParameterizedTest
  @ValueSource(strings = {"maxresults=x", "include=everything"})
  @Covers(Area.ERRORS)
  @Documented("queue-rest 6.1, 8")
  void valuesThatAreNoneAreRefused(String parameter) {
    expect(wire.get("/?comp=list&" + parameter).send()).error(400, "InvalidQueryParameterValue");
  }

  @Test
  @Covers(Area.ERRORS)
  @Documented("queue-rest 4.1: as recorded from the blob service")
  @Differs("Azurite 3.37.0 lists from there")
  void aMarkerThatMakesNoSenseIsRefused() {
    expect(wire.get("/?comp=list&marker=nonsense").send()).error(400, "OutOfRangeInput");
  }
}
