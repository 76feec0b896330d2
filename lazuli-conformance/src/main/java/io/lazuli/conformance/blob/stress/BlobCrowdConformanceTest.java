package io.lazuli.conformance.blob.stress;

import static io.lazuli.conformance.blob.Refusal.refused;
import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.blob.ScratchContainer;
import io.lazuli.conformance.support.Crowd;
import io.lazuli.conformance.wire.WireAnswer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many clients use one blob: no write is lost, and none happens twice. */
@Covers(value = Area.CONCURRENCY, service = StorageService.BLOB)
class BlobCrowdConformanceTest {

  private final ScratchContainer container = ScratchContainer.create();

  @Test
  @Documented("blob-rest 20.5: 32 writers with If-Match on one counter")
  void aCounterLosesNoUpdate() {
    container.stored("counter", "0");
    int each = 4;
    Crowd.run(
        32,
        i ->
            () -> {
              for (int n = 0; n < each; n++) {
                addOne();
              }
              return each;
            });
    assertThat(container.content("counter")).isEqualTo(String.valueOf(32 * each));
  }

  private void addOne() {
    while (true) {
      WireAnswer read = container.get("counter").send();
      expect(read).status(200);
      String next = String.valueOf(Integer.parseInt(read.text()) + 1);
      WireAnswer written = container.put("counter", next).header("If-Match", read.etag()).send();
      if (written.status() == 201) {
        return;
      }
      refused(written, 412, "ConditionNotMet");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {16, 64})
  @Documented("blob-rest 12.2, 20.8: the blob has every acknowledged append exactly once")
  void everyAppendIsThereOnce(int appenders) {
    container.storedLog("log");
    int each = 10;
    List<List<Integer>> offsets =
        Crowd.run(appenders, i -> () -> appended("%02d".formatted(i), each));
    String content = container.content("log");
    assertThat(content).hasSize(appenders * each * 6);
    List<String> lines = Arrays.asList(content.split("\n", -1)).subList(0, appenders * each);
    assertThat(lines).doesNotHaveDuplicates().hasSize(appenders * each);
    for (int i = 0; i < appenders; i++) {
      for (int n = 0; n < each; n++) {
        int at = offsets.get(i).get(n);
        assertThat(content.substring(at, at + 5)).isEqualTo("%02d-%02d".formatted(i, n));
      }
      assertThat(offsets.get(i)).isSorted();
    }
    assertThat(container.property("log", "x-ms-blob-committed-block-count"))
        .isEqualTo(String.valueOf(appenders * each));
  }

  private List<Integer> appended(String name, int count) {
    List<Integer> offsets = new ArrayList<>();
    for (int n = 0; n < count; n++) {
      WireAnswer answer = container.append("log", name + "-%02d\n".formatted(n)).send();
      expect(answer).status(201);
      offsets.add(Integer.parseInt(answer.header("x-ms-blob-append-offset").orElse("-1")));
    }
    return offsets;
  }

  @Test
  @Documented("blob-rest 12.2, 20.8: one of many appends at a position succeeds")
  void oneAppendAtAPositionWins() {
    container.storedLog("log");
    for (int round = 0; round < 5; round++) {
      String position = String.valueOf(round);
      List<Integer> statuses =
          Crowd.run(
              16,
              i ->
                  () ->
                      container
                          .append("log", "x")
                          .header("x-ms-blob-condition-appendpos", position)
                          .send()
                          .status());
      assertThat(statuses).filteredOn(status -> status == 201).hasSize(1);
      assertThat(statuses).filteredOn(status -> status == 412).hasSize(15);
    }
    assertThat(container.content("log")).isEqualTo("xxxxx");
  }

  @Test
  @Documented("blob-rest 4.1, 10.1: one of many creations of a blob succeeds")
  void oneOfManyCreatesABlob() {
    List<Integer> statuses =
        Crowd.run(
            24, i -> () -> container.put("b", "" + i).header("If-None-Match", "*").send().status());
    assertThat(statuses).filteredOn(status -> status == 201).hasSize(1);
    assertThat(statuses).filteredOn(status -> status == 409).hasSize(23);
    assertThat(container.content("b")).isEqualTo("" + statuses.indexOf(201));
  }

  @Test
  @Documented("blob-rest 5.1: one of many clients gets a lease")
  void oneOfManyGetsALease() {
    container.stored("b", "x");
    List<Integer> statuses =
        Crowd.run(
            24,
            i ->
                () ->
                    container
                        .lease("b", "acquire")
                        .header("x-ms-lease-duration", "-1")
                        .send()
                        .status());
    assertThat(statuses).filteredOn(status -> status == 201).hasSize(1);
    assertThat(statuses).filteredOn(status -> status == 409).hasSize(23);
  }

  @Test
  @Documented("blob-rest 2.3, 2.2: readers see the old blob or the new one")
  void readersSeeWholeBlobs() {
    String[] contents = {"a".repeat(100_000), "b".repeat(70_000), "c".repeat(130_000)};
    container.stored("b", contents[0]);
    List<Boolean> whole =
        Crowd.run(
            8,
            i ->
                () -> {
                  boolean good = true;
                  for (int n = 0; n < 8; n++) {
                    if (i < 2) {
                      container.stored("b", contents[(i + n) % contents.length]);
                    } else {
                      good &= List.of(contents).contains(container.content("b"));
                    }
                  }
                  return good;
                });
    assertThat(whole).containsOnly(true);
  }
}
