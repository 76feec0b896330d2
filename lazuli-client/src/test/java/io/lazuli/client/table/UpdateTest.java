package io.lazuli.client.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.data.tables.TableAsyncClient;
import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.MadeOnce;
import io.lazuli.client.TestAccount;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.entity.TypeName;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;

@MadeOnce
class UpdateTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  record Counter(String partitionKey, String rowKey, int count) {
    Counter plusOne() {
      return new Counter(partitionKey, rowKey, count + 1);
    }
  }

  private static Table<Counter> counters;

  @BeforeAll
  static void createTable() {
    TableAsyncClient client = ACCOUNT.tables().getTableClient(TestAccount.uniqueName("counters"));
    ACCOUNT.tables().createTableIfNotExists(client.getTableName()).block();
    counters = Table.of(client, Counter.class);
  }

  private static EntityKey zero(String row) {
    counters.upsertReplace(new Counter("p", row, 0));
    return new EntityKey("p", row);
  }

  @Test
  void noIncrementOfEightWritersIsLost() {
    EntityKey key = zero("contended");
    Flux.range(0, 8)
        .flatMap(
            writer ->
                Flux.range(0, 25)
                    .concatMap(i -> counters.async().update(key, Counter::plusOne, 100)),
            8)
        .blockLast();
    assertThat(counters.find(key).orElseThrow().count()).isEqualTo(200);
  }

  @Test
  void anUpdateReturnsTheWrittenValue() {
    assertThat(counters.update(zero("once"), Counter::plusOne))
        .isEqualTo(new Counter("p", "once", 1));
  }

  @Test
  void attemptsAreBounded() {
    EntityKey key = zero("busy");
    AtomicInteger attempts = new AtomicInteger();
    assertThatThrownBy(
            () ->
                counters
                    .async()
                    .update(
                        key,
                        counter -> {
                          attempts.incrementAndGet();
                          // Somebody else is always faster.
                          counters.async().upsertReplace(counter).toFuture().join();
                          return counter.plusOne();
                        },
                        3)
                    .block())
        .isInstanceOf(ConditionNotMet.class);
    assertThat(attempts).hasValue(3);
  }

  @Test
  void aMissingEntityCannotBeUpdated() {
    assertThatThrownBy(() -> counters.update(new EntityKey("p", "none"), Counter::plusOne))
        .isInstanceOf(NotFound.class);
  }

  @Test
  void anUpdateCannotMoveTheEntity() {
    EntityKey key = zero("moved");
    assertThatThrownBy(() -> counters.update(key, counter -> new Counter("p", "elsewhere", 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("p/moved to p/elsewhere");
  }

  @Test
  void anExceptionOfTheChangeEndsTheUpdate() {
    EntityKey key = zero("refused");
    assertThatThrownBy(
            () ->
                counters.update(
                    key,
                    counter -> {
                      throw new IllegalStateException("no");
                    }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("no");
  }

  @Test
  void anUpdateOfTheDynamicEntityKeepsUnmappedProperties() {
    EntityKey key = zero("dynamic");
    Table<TableEntity> dynamic = counters.as(EntityCodec.dynamic());
    dynamic.update(key, entity -> entity.addProperty("Extra", "kept"));
    dynamic.update(key, entity -> entity.addProperty("Count", 7));
    assertThat(dynamic.find(key).orElseThrow().getProperty("Extra")).isEqualTo("kept");
    assertThat(counters.find(key).orElseThrow().count()).isEqualTo(7);
  }

  record NewCounter(
      String partitionKey, String rowKey, int count, Optional<String> note, String unit) {}

  record NotedCounter(String partitionKey, String rowKey, int count, Optional<String> note) {}

  @Test
  void anUpdateKeepsPropertiesOfNewerProgramsAndClearsItsOwn() {
    EntityKey key = new EntityKey("p", "newer");
    Table<NewCounter> newer = counters.as(EntityCodec.of(NewCounter.class));
    newer.upsertReplace(new NewCounter("p", "newer", 1, Optional.of("a note"), "apples"));
    counters
        .as(EntityCodec.of(NotedCounter.class))
        .update(key, old -> new NotedCounter("p", "newer", old.count() + 1, Optional.empty()));
    assertThat(newer.find(key))
        .contains(new NewCounter("p", "newer", 2, Optional.empty(), "apples"));
  }

  sealed interface Shape permits Circle, Square {}

  @TypeName("Circle")
  record Circle(String partitionKey, String rowKey, int radius) implements Shape {}

  @TypeName("Square")
  record Square(String partitionKey, String rowKey, int side) implements Shape {}

  @Test
  void aValueThatBecomesAnotherClassOfItsFamilyLosesTheOldPropertiesOnly() {
    EntityKey key = new EntityKey("p", "shape");
    Table<TableEntity> dynamic = counters.as(EntityCodec.dynamic());
    Table<Shape> shapes = counters.as(EntityCodec.of(Shape.class));
    dynamic.upsertReplace(
        EntityCodec.of(Circle.class)
            .write(new Circle("p", "shape", 3))
            .addProperty("Colour", "red"));
    shapes.update(key, circle -> new Square("p", "shape", 4));
    assertThat(dynamic.find(key).orElseThrow().getProperties())
        .containsEntry("EntityType", "Square")
        .containsEntry("Colour", "red")
        .doesNotContainKey("Radius");
    assertThat(shapes.find(key)).contains(new Square("p", "shape", 4));
  }
}
