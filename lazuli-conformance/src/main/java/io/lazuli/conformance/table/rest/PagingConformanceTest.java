package io.lazuli.conformance.table.rest;

import static io.lazuli.conformance.table.ScratchTable.entity;
import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.table.ScratchTable;
import io.lazuli.conformance.wire.BatchText;
import io.lazuli.conformance.wire.Keys;
import io.lazuli.conformance.wire.WireAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages and the tokens that lead from one to the next. */
@Covers(Area.PAGING)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PagingConformanceTest {

  /** Three partitions with 401, 400 and 400 rows, 1,201 in total. */
  private final ScratchTable large = ScratchTable.create();

  private final List<String> keys = new ArrayList<>();

  @BeforeAll
  void fill() {
    for (String partition : List.of("a", "b ö'", "c")) {
      int rows = partition.equals("a") ? 401 : 400;
      for (int start = 0; start < rows; start += 100) {
        BatchText batch = large.batch();
        for (int i = start; i < Math.min(rows, start + 100); i++) {
          String row = "%04d".formatted(i);
          String keyText = "{\"PartitionKey\":\"" + partition + "\",\"RowKey\":\"" + row + "\"";
          batch.insert(large.name(), keyText + ",\"N\":" + i + "}");
          keys.add(partition + "/" + row);
        }
        expect(large.wire().batch(batch).send()).status(202);
      }
    }
  }

  private static List<String> keysOf(WireAnswer page) {
    List<String> found = new ArrayList<>();
    page.values()
        .forEach(
            item ->
                found.add(item.path("PartitionKey").asText() + "/" + item.path("RowKey").asText()));
    return found;
  }

  private static List<String> all(ScratchTable table, String options) {
    List<String> found = new ArrayList<>();
    String token = "";
    do {
      WireAnswer page = table.query(options + token).send();
      expect(page).status(200);
      found.addAll(keysOf(page));
      String next = ScratchTable.nextPage(page);
      assertThat(next)
          .as("a token that leads to the same page again")
          .isNotEqualTo(token.isEmpty() ? "x" : token);
      token = next;
    } while (!token.isEmpty());
    return found;
  }

  @Test
  @Documented("table-rest 7.6, mission T11")
  void aPageHasAtMostThousandEntities() {
    WireAnswer page = large.query().send();
    assertThat(page.values()).hasSize(1000);
    expect(page)
        .hasHeader("x-ms-continuation-NextPartitionKey")
        .hasHeader("x-ms-continuation-NextRowKey")
        .lacksHeader("x-ms-continuation-NextTableName");
    assertThat(all(large, "x=y")).isEqualTo(keys);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 100, 401, 999, 1000})
  @Documented("table-rest 7.1: a page size, not a total")
  void topIsThePageSize(int top) {
    ScratchTable table = top == 1 ? fewRows() : large;
    WireAnswer page = table.query("$top=" + top).send();
    assertThat(page.values()).hasSize(top);
    assertThat(all(table, "$top=" + top)).isEqualTo(top == 1 ? List.of("p/1", "p/2", "p/3") : keys);
  }

  private static ScratchTable fewRows() {
    ScratchTable table = ScratchTable.create();
    IntStream.rangeClosed(1, 3).forEach(i -> table.inserted(entity(String.valueOf(i))));
    return table;
  }

  @ParameterizedTest
  @CsvSource({
    "N ge 200, 100",
    "PartitionKey eq 'b ö''' and N lt 50, 13",
    "N eq 399, 1",
    "N eq 77777, 10",
    "RowKey ge '0390', 4",
    "PartitionKey gt 'a' and RowKey lt '0005', 3"
  })
  @Documented("table-rest 7.6")
  void filteredPagesMissNothingAndRepeatNothing(String filter, int top) {
    String encoded = "$filter=" + Keys.encode(filter);
    List<String> whole = all(large, encoded);
    assertThat(all(large, "$top=" + top + "&" + encoded)).isEqualTo(whole).doesNotHaveDuplicates();
    assertThat(keys).containsAll(whole);
  }

  @Test
  @Documented("table-rest 7.6: real format, unpadded base64")
  void aTokenNamesTheFirstEntityOfTheNextPage() {
    ScratchTable table = ScratchTable.create();
    for (String row : List.of("order-0001", "order-0002", "order-0003")) {
      table.inserted("{\"PartitionKey\":\"cust-042\",\"RowKey\":\"" + row + "\"}");
    }
    expect(table.query("$top=2").send())
        .header("x-ms-continuation-NextPartitionKey", "1!11!Y3VzdC0wNDI")
        .header("x-ms-continuation-NextRowKey", "1!14!b3JkZXItMDAwMw");
  }

  @Test
  @Documented("table-rest 7.6")
  void tokensAreHeaderSafeWhateverTheKeys() {
    ScratchTable table = ScratchTable.create();
    List<String> odd = List.of("", " ", ";", "日本", "😀", "a\u00a0b", "÷ÿ>?".replace("?", ""));
    odd.forEach(
        key -> table.inserted("{\"PartitionKey\":\"" + key + "\",\"RowKey\":\"" + key + "\"}"));
    List<String> expected = odd.stream().sorted().map(key -> key + "/" + key).toList();
    assertThat(all(table, "$top=1")).isEqualTo(expected);
    WireAnswer page = table.query("$top=1").send();
    assertThat(page.header("x-ms-continuation-NextPartitionKey").orElseThrow())
        .matches("[!-~]+")
        .doesNotContain(";");
  }

  @Test
  @Documented("table-rest 7.6")
  void aTokenOutlivesTheEntityItNames() {
    ScratchTable table = fewRows();
    String token = ScratchTable.nextPage(table.query("$top=1").send());
    table.wire().delete(table.path("p", "2")).ifMatch("*").send();
    assertThat(keysOf(table.query("x=y" + token).send())).containsExactly("p/3");
    table.wire().delete(table.path("p", "3")).ifMatch("*").send();
    assertThat(keysOf(table.query("x=y" + token).send())).isEmpty();
  }

  @Test
  @Documented("table-rest 7.6: do")
  void tokensOfOtherWritersAreRead() {
    ScratchTable table = fewRows();
    for (String row : List.of("2", "1!4!Mg--", "1!4!Mg==", "1!2!Mg", "1%214%21Mg--")) {
      String options =
          "NextPartitionKey=p&NextRowKey=" + (row.contains("%") ? row : Keys.encode(row));
      assertThat(keysOf(table.query(options).send())).as(row).containsExactly("p/2", "p/3");
    }
    assertThat(keysOf(table.query("NextPartitionKey=1!4!cA--&NextRowKey=1!4!Mw--").send()))
        .containsExactly("p/3");
  }

  @Test
  @Documented("table-rest 7.6")
  void aTokenWithoutRowStartsThePartition() {
    List<String> rest = keys.subList(401, 411);
    assertThat(keysOf(large.query("$top=10", "NextPartitionKey=b").send())).isEqualTo(rest);
    assertThat(keysOf(large.query("$top=10", "NextPartitionKey=b", "NextRowKey=").send()))
        .isEqualTo(rest);
  }

  @Test
  @Documented("table-rest 7.6: start at the greater of filter bound and token")
  void tokenAndFilterBothBindTheStart() {
    String filter = "$filter=" + Keys.encode("PartitionKey eq 'a' and RowKey ge '0100'");
    assertThat(
            keysOf(large.query("$top=1", filter, "NextPartitionKey=a", "NextRowKey=0200").send()))
        .containsExactly("a/0200");
    assertThat(
            keysOf(large.query("$top=1", filter, "NextPartitionKey=a", "NextRowKey=0050").send()))
        .containsExactly("a/0100");
    assertThat(keysOf(large.query("$top=1", filter, "NextPartitionKey=c", "NextRowKey=0").send()))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1!99!Mg--", "1!4!****", "1!x!Mg--", "1!4!/w=="})
  @Documented("table-rest 7.6")
  void aTokenThatIsNoneIsNoServerError(String token) {
    WireAnswer answer =
        large.query("NextPartitionKey=" + Keys.encode(token), "NextRowKey=x", "$top=1").send();
    assertThat(answer.status()).as(answer.toString()).isIn(200, 400);
  }

  @Test
  @Documented("table-rest 7.6: do not send them empty")
  void theLastPageHasNoToken() {
    ScratchTable table = fewRows();
    WireAnswer page = table.query().send();
    expect(page)
        .lacksHeader("x-ms-continuation-NextPartitionKey")
        .lacksHeader("x-ms-continuation-NextRowKey");
    assertThat(keysOf(page)).hasSize(3);
  }
}
