package io.lazuli.server.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.lazuli.server.account.Account;
import io.lazuli.server.account.AccountKey;
import io.lazuli.server.event.RequestListener;
import io.lazuli.server.http.HttpDate;
import io.lazuli.server.load.LoadRequest;
import io.lazuli.server.load.count.Recorder;
import io.lazuli.server.pipeline.Addressing;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LiveTest {
  private long millis = 1_000_000;
  private final Live live = new Live(() -> millis);
  private final RequestListener tables = live.of("table");

  private static final AccountKey KEY = key("first");
  private static final AccountKey OTHER = key("second");

  private static AccountKey key(String text) {
    return new AccountKey(
        Base64.getEncoder().encodeToString(text.repeat(8).getBytes(StandardCharsets.UTF_8)));
  }

  private static LoadRequest get() {
    return LoadRequest.get("Events", "p", "r");
  }

  @Test
  void errorsScansAndSlowRequestsAreKept() {
    for (int second = 0; second < 3; second++) {
      for (int i = 0; i < 1_000; i++) {
        get().end(tables);
      }
      millis += 1_000;
    }
    LoadRequest slow = get();
    slow.nanos = 200_000_000;
    slow.id = "slow";
    slow.end(tables);
    LoadRequest wrong = get().answered(404);
    wrong.id = "wrong";
    wrong.code = "ResourceNotFound";
    wrong.end(tables);
    LoadRequest scan = LoadRequest.query("Events", "table scan", "A eq ?", "", 9, 1);
    scan.id = "scan";
    scan.end(tables);
    assertThat(live.share()).isGreaterThan(1);
    assertThat(live.after("acme", 0, 2_000))
        .hasSizeLessThan(700)
        .extracting(LiveRequest::id)
        .contains("slow", "wrong", "scan");
    long last = live.last();
    assertThat(live.after("acme", last, 100)).isEmpty();
    assertThat(live.after("other", 0, 100)).isEmpty();
    assertThat(live.after("acme", 0, 2)).hasSize(2);
  }

  @Test
  void theRingIsBounded() {
    for (int i = 0; i < 100; i++) {
      for (int j = 0; j < 300; j++) {
        LoadRequest request = get().answered(400);
        request.target = "/acme/Events?" + "x".repeat(10_000);
        request.headers.put("User-Agent", "y".repeat(10_000));
        request.end(tables);
      }
      millis += 1_000;
    }
    List<LiveRequest> kept = live.after("acme", 0, 10_000);
    assertThat(kept).hasSizeLessThanOrEqualTo(Live.REQUESTS_MAX);
    assertThat(kept.stream().mapToInt(LiveRequest::size).sum()).isLessThanOrEqualTo(Live.BYTES_MAX);
    assertThat(live.last()).isEqualTo(100L * Live.PER_SECOND_MAX);
  }

  @Test
  void signaturesAreNeitherShownNorKept() {
    LoadRequest request = get().answered(403);
    request.target = "/acme/Events?sv=2020&sig=abcdefghijklmnop%3D&se=2030";
    request.headers.put("Authorization", "SharedKey acme:ABCDEFGHIJKLMNOP=");
    request.headers.put("Cookie", "secret");
    request.end(tables);
    assertThat(live.after("acme", 0, 9).get(0).target()).doesNotContain("abcdef");
    Refusals.Head head = live.refusals().find("acme", "id");
    assertThat(head).isNotNull();
    assertThat(head.toString())
        .contains("sig=abcdef%E2%80%A6", "SharedKey acme:ABCDEF…")
        .doesNotContain("abcdefg", "ABCDEFG", "secret");
    assertThat(live.refusals().find("other", "id")).isNull();
  }

  @Test
  void headsAreBounded() {
    for (int i = 0; i < 1_000; i++) {
      LoadRequest request = get().answered(403);
      request.id = "id" + i;
      request.headers.put("x-ms-meta-a", "x".repeat(i % 2 == 0 ? 20_000 : 10));
      request.end(tables);
    }
    int kept = 0;
    for (int i = 0; i < 1_000; i++) {
      kept += live.refusals().find("acme", "id" + i) == null ? 0 : 1;
      if (i % 2 == 0) {
        assertThat(live.refusals().find("acme", "id" + i)).isNull();
      }
    }
    assertThat(kept).isBetween(1, Refusals.HEADS_MAX);
  }

  @Test
  void errorsAreCountedByCodeForAnHour() {
    for (int i = 0; i < 5; i++) {
      LoadRequest request = get().answered(404);
      request.code = "ResourceNotFound";
      request.end(tables);
      millis += 60_000;
    }
    LoadRequest conflict = LoadRequest.insert("Events", "p", "r").answered(409);
    conflict.code = "EntityAlreadyExists";
    conflict.end(tables);
    assertThat(live.errors().of("acme"))
        .extracting(ErrorCounts.Count::code, ErrorCounts.Count::lastHour)
        .containsExactly(tuple("ResourceNotFound", 5L), tuple("EntityAlreadyExists", 1L));
    millis += 57 * 60_000;
    assertThat(live.errors().of("acme").get(0).lastHour()).isLessThan(5);
    millis += 60 * 60_000;
    assertThat(live.errors().of("acme")).isEmpty();
  }

  @Test
  void differentErrorsAreBounded() {
    for (int i = 0; i < 5_000; i++) {
      LoadRequest request = get().answered(404);
      request.account = "account" + i;
      request.end(tables);
    }
    int kinds = 0;
    for (int i = 0; i < 5_000; i++) {
      kinds += live.errors().of("account" + i).size();
    }
    assertThat(kinds).isEqualTo(ErrorCounts.KINDS_MAX);
  }

  @Test
  void theDearestShapesAreKept() {
    Recorder recorder = new Recorder(() -> millis);
    Shapes shapes = new Shapes();
    for (int i = 0; i < 700; i++) {
      LoadRequest query = LoadRequest.query("Events", "table scan", "P" + i + " eq ?", "", 100, 2);
      query.nanos = (i + 1) * 1_000_000L;
      query.end(recorder.of("table"));
      shapes.add(recorder.samples());
    }
    List<Shapes.Cost> dear = shapes.of("acme", 1_000);
    assertThat(dear).hasSize(Shapes.SHAPES_MAX);
    assertThat(dear.get(0).shape()).isEqualTo("P699 eq ?");
    assertThat(dear.get(0).example()).isEqualTo("P699 eq 'x'");
    assertThat(dear.get(0).millis99()).isBetween(700.0, 1_100.0);
    assertThat(dear.get(0).callers()).containsExactly("192.0.2.7");
    assertThat(shapes.of("other", 9)).isEmpty();
  }

  private WhyRefused why() {
    Account acme = new Account("acme", List.of(KEY));
    Account other = new Account("other", List.of(OTHER));
    Addressing addressing = new Addressing(null, name -> name.equals("acme"));
    return new WhyRefused(
        live.refusals(),
        (service, request) -> request.withAddress(addressing.find(request)),
        name -> name.equals("acme") ? acme : null,
        () -> List.of(acme, other),
        Clock.systemUTC(),
        Duration.ofMinutes(15));
  }

  private void refused(String id, AccountKey key) {
    String date = HttpDate.format(Instant.now());
    String text = "GET\n\n\n" + date + "\n/acme/acme/Events";
    String signature =
        Base64.getEncoder().encodeToString(key.sign(text.getBytes(StandardCharsets.UTF_8)));
    LoadRequest request = get().answered(403);
    request.id = id;
    request.target = "/acme/Events";
    request.headers.put("Host", "127.0.0.1:10002");
    request.headers.put("x-ms-date", date);
    request.headers.put("x-ms-version", "2019-02-02");
    request.headers.put("Authorization", "SharedKey acme:" + signature);
    request.end(tables);
  }

  @Test
  void theKeyOfAnotherAccountIsNamed() {
    refused("one", OTHER);
    WhyRefused.Explanation found = why().explain("acme", "one");
    assertThat(found).isNotNull();
    assertThat(found.text())
        .isEqualTo("this signature would be correct if the key belonged to the account other");
    assertThat(found.fields()).extracting(Map.Entry::getKey).contains("Content-Type");
    assertThat(found.toString()).doesNotContain(OTHER.base64(), KEY.base64());
    assertThat(why().explain("acme", "two")).isNull();
    assertThat(why().explain("other", "one")).isNull();
  }

  @Test
  void aStrangeKeyIsNotExplained() {
    refused("one", key("third"));
    WhyRefused.Explanation found = why().explain("acme", "one");
    assertThat(found).isNotNull();
    assertThat(found.text()).startsWith("no common mistake explains this signature");
  }
}
