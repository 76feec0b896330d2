package io.lazuli.conformance.table.rest;

import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Differs;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.table.ScratchTable;
import io.lazuli.conformance.wire.BatchText;
import io.lazuli.conformance.wire.Keys;
import io.lazuli.conformance.wire.SharedAccess;
import io.lazuli.conformance.wire.WireAnswer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A signature that is limited to a range of keys, used with every operation: its holder reads and
 * changes only the entities in the range (auth 6.2).
 */
@Covers(Area.ACCESS)
@Differs("Azurite 3.37.0 also shows and changes entities outside the range")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KeyRangeConformanceTest {

  /** The keys of one entity. */
  record Key(String partition, String row) {

    /**
     * Returns a text that sorts like the pair of keys. This works because each key is one
     * character.
     */
    String ordered() {
      return partition + " " + row;
    }

    String json() {
      return "{\"PartitionKey\":\"" + partition + "\",\"RowKey\":\"" + row + "\"}";
    }
  }

  /** A row of auth 6.2: the fields of the signature and the keys that they allow. */
  record Range(String fields, Predicate<Key> holds) {

    SharedAccess access(ScratchTable table) {
      SharedAccess access = table.access("raud");
      for (String field : fields.split(" ", -1)) {
        String[] pair = field.split("=", -1);
        access.with(pair[0], pair[1]);
      }
      return access;
    }

    List<Key> of(List<Key> keys) {
      return keys.stream().filter(holds).toList();
    }

    @Override
    public String toString() {
      return fields;
    }
  }

  /**
   * Returns the rows of auth 6.2. The four fields form one interval, not a rectangle. An empty
   * field counts as absent.
   */
  static List<Range> ranges() {
    return List.of(
        new Range("spk=c", key -> key.partition().compareTo("c") >= 0),
        new Range("epk=c", key -> key.partition().compareTo("c") <= 0),
        new Range("spk=b srk=2", key -> key.ordered().compareTo("b 2") >= 0),
        new Range("epk=d erk=2", key -> key.ordered().compareTo("d 2") <= 0),
        new Range("spk=c epk=c", key -> key.partition().equals("c")),
        new Range(
            "spk=b srk=2 epk=d erk=1",
            key -> key.ordered().compareTo("b 2") >= 0 && key.ordered().compareTo("d 1") <= 0),
        new Range(
            "spk=c srk=2 epk=c erk=3",
            key -> key.partition().equals("c") && !key.row().equals("1")),
        new Range("spk=c srk=2 epk=c erk=2", key -> key.ordered().equals("c 2")),
        new Range("spk=bb epk=cc", key -> key.partition().equals("c")),
        new Range("spk=d epk=b", key -> false),
        new Range("spk=d epk=", key -> key.partition().compareTo("d") >= 0));
  }

  private static final List<Key> ALL = keys();

  private final ScratchTable table = ScratchTable.create();

  private static List<Key> keys() {
    List<Key> keys = new ArrayList<>();
    for (String partition : List.of("a", "b", "c", "d", "e")) {
      for (String row : List.of("1", "2", "3")) {
        keys.add(new Key(partition, row));
      }
    }
    return List.copyOf(keys);
  }

  @BeforeAll
  void fill() {
    ALL.forEach(key -> table.inserted(key.json()));
  }

  private List<Key> pages(SharedAccess access, String options, String start) {
    List<Key> seen = new ArrayList<>();
    String token = start;
    do {
      WireAnswer page = table.wire().get(table.path() + "()?" + options + token).sas(access).send();
      expect(page).status(200);
      for (JsonNode entity : page.values()) {
        seen.add(new Key(entity.path("PartitionKey").asText(), entity.path("RowKey").asText()));
      }
      token = ScratchTable.nextPage(page);
    } while (!token.isEmpty());
    return seen;
  }

  @ParameterizedTest
  @MethodSource("ranges")
  @Documented("auth 6.2: entities outside are silently left out")
  void aTableScanSeesTheRange(Range range) {
    for (int top : new int[] {1, 2, 1000}) {
      assertThat(pages(range.access(table), "$top=" + top, "")).isEqualTo(range.of(ALL));
    }
  }

  @ParameterizedTest
  @MethodSource("ranges")
  @Documented("auth 6.2, 10.5: every kind of query")
  void everyKindOfQuerySeesTheRange(Range range) {
    record Filtered(String filter, Predicate<Key> holds) {}
    List<Filtered> filters =
        List.of(
            new Filtered(
                "PartitionKey eq 'c' and RowKey eq '2'", key -> key.ordered().equals("c 2")),
            new Filtered("PartitionKey eq 'b'", key -> key.partition().equals("b")),
            new Filtered(
                "PartitionKey eq 'd' and RowKey ge '2'",
                key -> key.partition().equals("d") && key.row().compareTo("2") >= 0),
            new Filtered("PartitionKey ge 'a'", key -> true),
            new Filtered("RowKey eq '1'", key -> key.row().equals("1")),
            new Filtered(
                "PartitionKey eq 'a' or PartitionKey eq 'c' or PartitionKey eq 'e'",
                key -> "ace".contains(key.partition())),
            new Filtered(
                "(PartitionKey eq 'b' and RowKey eq '1') or (PartitionKey eq 'd' and RowKey eq '3')",
                key -> key.ordered().equals("b 1") || key.ordered().equals("d 3")),
            new Filtered("not (PartitionKey eq 'c')", key -> !key.partition().equals("c")),
            new Filtered("PartitionKey lt 'c' or true", key -> true));
    for (Filtered each : filters) {
      List<Key> expected = range.of(ALL).stream().filter(each.holds()).toList();
      String option = "$filter=" + Keys.encode(each.filter());
      assertThat(pages(range.access(table), option, "")).as(each.filter()).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @MethodSource("ranges")
  @Documented("auth 6.2: Get Entity outside is 404 ResourceNotFound")
  void aReadFindsTheRange(Range range) {
    SharedAccess access = range.access(table);
    for (Key key : ALL) {
      WireAnswer answer = table.read(key.partition(), key.row()).sas(access).send();
      BatchText batch = table.batch().add("GET", table.path(key.partition(), key.row()), "");
      WireAnswer inBatch = table.wire().batch(batch).body(batch.textOfReads()).sas(access).send();
      if (range.holds().test(key)) {
        expect(answer).status(200);
        expect(inBatch.parts().get(0)).status(200);
      } else {
        expect(answer).error(404, "ResourceNotFound", "The specified resource does not exist.");
        expect(inBatch.status() == 202 ? inBatch.parts().get(0) : inBatch)
            .error(404, "ResourceNotFound");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("ranges")
  @Documented("auth 6.2: continuation tokens stay inside, forged ones too")
  void aForgedTokenSeesNoMore(Range range) {
    for (Key key : ALL) {
      String owners =
          ScratchTable.nextPage(
              table
                  .query(
                      "$top=1",
                      "$filter=" + Keys.encode("PartitionKey ge '" + key.partition() + "'"))
                  .send());
      for (String token : List.of(owners, forged(key))) {
        assertThat(pages(range.access(table), "$top=3", token)).as(token).isSubsetOf(range.of(ALL));
      }
    }
  }

  private static String forged(Key key) {
    return "&NextPartitionKey=" + part(key.partition()) + "&NextRowKey=" + part(key.row());
  }

  private static String part(String key) {
    String text =
        Base64.getEncoder().encodeToString(key.getBytes(StandardCharsets.UTF_8)).replace('=', '-');
    return Keys.encode("1!" + text.length() + "!" + text);
  }

  @ParameterizedTest
  @MethodSource("ranges")
  @Documented("auth 6.2, 10.5: writes outside are 403 AuthorizationFailure")
  void writesReachTheRange(Range range) {
    ScratchTable own = ScratchTable.create();
    SharedAccess access = range.access(own);
    List<Key> sample =
        List.of(
            new Key("b", "1"),
            new Key("b", "2"),
            new Key("c", "1"),
            new Key("c", "2"),
            new Key("d", "1"),
            new Key("d", "2"));
    for (Key key : sample) {
      boolean allowed = range.holds().test(key);
      for (EntityCall call : EntityCall.values()) {
        if (call.isWrite()) {
          expectWrite(own, access, call, key, allowed);
        }
      }
    }
    assertThat(own.rows()).isEmpty();
  }

  /**
   * Expects a write to succeed or to be refused. The caller begins with an insert and ends with a
   * delete, so that allowed writes leave no entity behind.
   */
  private static void expectWrite(
      ScratchTable own, SharedAccess access, EntityCall call, Key key, boolean allowed) {
    WireAnswer answer = call.on(own, key.partition(), key.row()).sas(access).send();
    if (allowed) {
      expect(answer).status(204);
    } else {
      expect(answer)
          .error(
              403,
              "AuthorizationFailure",
              "This request is not authorized to perform this operation.");
    }
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"GET_ENTITY", "QUERY_ENTITIES"})
  @Documented("auth 6.2, table-rest 8.1: do: the whole batch is refused")
  void oneOperationOutsideRefusesTheBatch(EntityCall call) {
    ScratchTable own = ScratchTable.create();
    own.inserted(new Key("c", "9").json());
    String outside = call == EntityCall.INSERT_ENTITY ? "8" : "9";
    SharedAccess access = own.access("raud").with("spk", "c").with("epk", "c").with("erk", "5");
    BatchText batch = own.batch();
    EntityCall.INSERT_ENTITY.addTo(batch, own, "c", "1");
    call.addTo(batch, own, "c", outside);
    expect(own.wire().batch(batch).sas(access).send()).error(403, "AuthorizationFailure");
    assertThat(own.rows()).containsExactly("9");
  }
}
