package io.lazuli.client.table;

import static io.lazuli.client.table.Write.delete;
import static io.lazuli.client.table.Write.insert;
import static io.lazuli.client.table.Write.merge;
import static io.lazuli.client.table.Write.replace;
import static io.lazuli.client.table.Write.upsertMerge;
import static io.lazuli.client.table.Write.upsertReplace;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.data.tables.TableAsyncClient;
import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.TestAccount;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.query.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class BatchTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  record Note(String partitionKey, String rowKey, String text) {}

  record Count(String partitionKey, String rowKey, int count) {}

  private final AtomicInteger requests = new AtomicInteger();
  private Table<Note> notes;

  @BeforeEach
  void createTable() {
    TableAsyncClient client =
        ACCOUNT
            .tables(
                (context, next) -> {
                  requests.incrementAndGet();
                  return next.process();
                })
            .getTableClient(TestAccount.uniqueName("batches"));
    client.createTable().block();
    notes = Table.of(client, Note.class);
    requests.set(0);
  }

  private static Note note(String row, String text) {
    return new Note("p", row, text);
  }

  private static EntityKey key(String row) {
    return new EntityKey("p", row);
  }

  @Test
  void aBatchMakesAllKindsOfWritesInOneRequest() {
    notes.batch(Batch.of(insert(note("a", "1")), insert(note("b", "1")), insert(note("c", "1"))));
    notes.batch(
        Batch.of(
            replace(note("a", "2"), Condition.any()),
            merge(note("b", "2"), Condition.any()),
            delete(key("c"), Condition.any()),
            insert(note("d", "2")),
            upsertMerge(note("e", "2")),
            upsertReplace(note("f", "2"))));
    assertThat(requests).hasValue(2);
    assertThat(notes.query(Query.partition("p")))
        .containsExactly(
            note("a", "2"), note("b", "2"), note("d", "2"), note("e", "2"), note("f", "2"));
  }

  @Test
  void aFailedBatchNamesTheWriteAndWritesNothing() {
    notes.insert(note("taken", "first"));
    Note second = note("taken", "second");
    assertThatThrownBy(
            () ->
                notes.batch(
                    Batch.of(insert(note("new", "1")), insert(second), insert(note("z", "")))))
        .isInstanceOfSatisfying(
            BatchFailed.class,
            failure -> {
              assertThat(failure.index()).isEqualTo(1);
              assertThat(failure.key()).isEqualTo(key("taken"));
              assertThat(failure.write().value().orElseThrow()).isEqualTo(second);
            })
        .hasCauseInstanceOf(AlreadyExists.class)
        .hasMessageContaining("p/taken");
    assertThat(notes.find(key("new"))).isEmpty();
  }

  @Test
  void theCauseIsTheFailureOfTheWrite() {
    String eTag =
        notes
            .as(EntityCodec.dynamic())
            .insert(EntityCodec.of(Note.class).write(note("a", "1")))
            .getETag();
    notes.upsertReplace(note("a", "2"));
    assertThatThrownBy(
            () ->
                notes.batch(
                    Batch.of(insert(note("b", "")), delete(key("a"), Condition.eTag(eTag)))))
        .isInstanceOf(BatchFailed.class)
        .hasCauseInstanceOf(ConditionNotMet.class);
    assertThatThrownBy(() -> notes.batch(Batch.of(merge(note("missing", ""), Condition.any()))))
        .isInstanceOf(BatchFailed.class)
        .hasCauseInstanceOf(NotFound.class);
  }

  @Test
  void theFailureHasTheCodeAndTheReasonOfTheService() {
    notes.insert(note("taken", ""));
    assertThatThrownBy(
            () -> notes.batch(Batch.of(insert(note("a", "")), insert(note("taken", "")))))
        .isInstanceOfSatisfying(
            BatchFailed.class,
            failure -> {
              assertThat(failure.code()).isEqualTo("EntityAlreadyExists");
              assertThat(failure.reason()).isNotBlank().doesNotStartWith("1:");
              assertThat(failure).hasMessageContaining("EntityAlreadyExists: " + failure.reason());
            });
  }

  @Test
  void aPropertyThatIsTooLargeNamesThePatternForLargeValues() {
    Note large = note("large", "x".repeat(33_000));
    assertThatThrownBy(() -> notes.batch(Batch.of(insert(note("a", "")), insert(large))))
        .isInstanceOfSatisfying(
            BatchFailed.class,
            failure -> {
              assertThat(failure.code()).isEqualTo("PropertyValueTooLarge");
              assertThat(failure.index()).isEqualTo(1);
            })
        .hasMessageContaining("P11")
        .hasMessageContaining("io.lazuli.client.pattern.large");
  }

  @Test
  void invalidBatchesAreRejectedBeforeTheyAreSent() {
    Note other = new Note("other", "a", "");
    rejected(new Batch<Note>(List.of()), "1 to 100");
    rejected(new Batch<>(inserts(101)), "use inChunks");
    rejected(Batch.of(insert(note("a", "")), insert(other)), "one partition");
    rejected(Batch.of(insert(note("a", "")), delete(key("a"), Condition.any())), "twice: p/a");
    rejected(Batch.of(replace(note("a", ""))), "carries no ETag");
    assertThat(requests).hasValue(0);
  }

  private void rejected(Batch<Note> batch, String part) {
    assertThatThrownBy(() -> notes.batch(batch))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(part);
  }

  private static List<Write<Note>> inserts(int count) {
    return IntStream.range(0, count).mapToObj(i -> insert(note("%05d".formatted(i), ""))).toList();
  }

  @Test
  void entitiesOfSeveralTypesAreWrittenInOneBatch() {
    Table<TableEntity> dynamic = notes.as(EntityCodec.dynamic());
    dynamic.batch(
        Batch.of(
            insert(note("note", "text")).with(EntityCodec.of(Note.class)),
            insert(new Count("p", "count", 3)).with(EntityCodec.of(Count.class))));
    assertThat(notes.find(key("note"))).contains(note("note", "text"));
    assertThat(notes.as(EntityCodec.of(Count.class)).find(key("count")))
        .contains(new Count("p", "count", 3));
  }

  @Test
  void chunksHaveAHundredWritesOfOnePartition() {
    List<Write<Note>> writes = new ArrayList<>(inserts(250));
    writes.add(insert(new Note("other", "a", "")));
    assertThat(notes.inChunks(writes, 2)).isEqualTo(251);
    assertThat(requests).hasValue(4);
    assertThat(notes.query(Query.all())).hasSize(251);
    assertThat(notes.inChunks(List.of(), 2)).isZero();
  }

  @Test
  void chunksStayBelowFourMebibytes() {
    String large = "ä".repeat(30_000);
    List<Write<Note>> writes =
        IntStream.range(0, 100).mapToObj(i -> insert(note("l" + i, large))).toList();
    assertThat(notes.inChunks(writes, 1)).isEqualTo(100);
    assertThat(requests).hasValue(3);
  }

  @Test
  void writesToOneEntityStayInTheirOrder() {
    List<Write<Note>> writes =
        List.of(
            insert(note("a", "1")),
            replace(note("a", "2"), Condition.any()),
            delete(key("a"), Condition.any()),
            insert(note("a", "4")));
    assertThat(notes.inChunks(writes, 4)).isEqualTo(4);
    assertThat(notes.find(key("a"))).contains(note("a", "4"));
  }

  @Test
  void aRejectedChunkHasItsIndexInTheWholeList() {
    List<Write<Note>> writes = new ArrayList<>(inserts(150));
    writes.set(120, merge(note("missing", ""), Condition.any()));
    assertThatThrownBy(() -> notes.inChunks(writes, 1))
        .isInstanceOfSatisfying(
            BatchFailed.class, failure -> assertThat(failure.index()).isEqualTo(120))
        .hasCauseInstanceOf(NotFound.class);
    assertThat(notes.query(Query.all())).hasSize(100);
  }
}
