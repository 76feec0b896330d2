package io.lazuli.examples.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.azure.core.exception.HttpResponseException;
import com.microsoft.azure.storage.StorageException;
import com.microsoft.azure.storage.table.CloudTable;
import com.microsoft.azure.storage.table.DynamicTableEntity;
import com.microsoft.azure.storage.table.EntityProperty;
import com.microsoft.azure.storage.table.TableBatchOperation;
import com.microsoft.azure.storage.table.TableOperation;
import com.microsoft.azure.storage.table.TableQuery;
import com.microsoft.azure.storage.table.TableServiceException;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.entity.MappingFailure;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.AlreadyExists;
import io.lazuli.client.table.BatchFailed;
import io.lazuli.client.table.Condition;
import io.lazuli.client.table.ConditionNotMet;
import io.lazuli.client.table.NotFound;
import io.lazuli.client.table.Table;
import io.lazuli.server.junit.LazuliExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Checks {@code docs/migration.md}: its code is that of {@link Before} and {@link Now}, both sides
 * do the same to one table, and the differences are those that the page describes.
 */
class MigrationPageTest {
  @RegisterExtension static final LazuliExtension LAZULI = new LazuliExtension().inMemory();

  private static final Pattern FENCED = Pattern.compile("(?ms)^```java\\R(.*?)^```$");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `([^|]*)` \\| `([^|]*)` \\|");
  private static final EntityKey JONES = new EntityKey("Sales", "000123");

  private CloudTable before;
  private Table<Now.Employee> now;

  @BeforeEach
  void connect() throws Exception {
    before = Before.connect(LAZULI.connectionString());
    now = Now.connect(LAZULI.connectionString());
  }

  @AfterEach
  void deleteTable() throws StorageException {
    before.deleteIfExists();
  }

  @Test
  void thePageShowsThisCode() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "migration.md"));
    String left = source("Before");
    String right = source("Now");
    List<String> fenced = FENCED.matcher(page).results().map(found -> found.group(1)).toList();
    assertThat(fenced).hasSizeGreaterThan(5);
    assertThat(fenced).allMatch(code -> shows(left, code) || shows(right, code));
    assertThat(ROW.matcher(page).results().count()).isGreaterThan(10);
    ROW.matcher(page)
        .results()
        .forEach(
            row -> {
              assertThat(row.group(1)).matches(code -> shows(left, code), "is in Before");
              assertThat(row.group(2)).matches(code -> shows(right, code), "is in Now");
            });
  }

  private static String source(String type) throws IOException {
    Path folder = Path.of("src", "test", "java", "io", "lazuli", "examples", "migration");
    return dense(Files.readString(folder.resolve(type + ".java")));
  }

  private static boolean shows(String source, String code) {
    String pattern =
        Stream.of(dense(code).split("…", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
    return Pattern.compile(pattern).matcher(source).find();
  }

  private static String dense(String code) {
    return code.replaceAll("\\s", "");
  }

  @Test
  void bothReadWhatTheOtherWrote() throws StorageException {
    Before.Employee jones = Before.employee("000123", "Jones");
    jones.setHired(Date.from(Instant.ofEpochMilli(1_700_000_000_123L)));
    Before.writes(before, jones);
    Now.Employee read = Now.find(now).orElseThrow();
    assertThat(read.lastName()).isEqualTo("Jones");
    assertThat(read.email()).isEqualTo("Jones@contoso.com");
    assertThat(read.hired()).contains(Instant.ofEpochMilli(1_700_000_000_123L));
    assertThat(read.eTag()).isEqualTo(jones.getEtag());
    Now.delete(now, read);
    assertThat(Before.find(before)).isNull();
    Now.writes(now, Now.employee("000123", "Jones"));
    Before.Employee same = Before.find(before);
    assertThat(same).isNotNull();
    assertThat(same.getAge()).isEqualTo(30);
    assertThat(same.getHired()).isNull();
    Before.delete(before, same);
    assertThat(Now.find(now)).isEmpty();
    assertThat(Now.deleteIfExists(now)).isFalse();
  }

  @Test
  void propertiesHaveTheSameNames() throws StorageException {
    Before.writes(before, Before.employee("000123", "Jones"));
    assertThat(stored().getProperties()).containsOnlyKeys("LastName", "Age", "mail");
    now.upsertReplace(Now.employee("000123", "Jones"));
    assertThat(stored().getProperties()).containsOnlyKeys("LastName", "Age", "mail");
  }

  private DynamicTableEntity stored() throws StorageException {
    return before
        .execute(TableOperation.retrieve("Sales", "000123", DynamicTableEntity.class))
        .getResultAsType();
  }

  @Test
  void bothDoTheSame() throws StorageException {
    Before.writes(before, Before.employee("000123", "Jones"));
    Before.birthday(before);
    Now.birthday(now);
    assertThat(Now.find(now)).map(Now.Employee::age).contains(32);
    Before.batch(before, Before.employee("000124", "Smith"), Before.employee("000123", "Jones"));
    Now.batch(now, Now.employee("000125", "Brown"), Now.employee("000123", "Jones"));
    assertThat(Before.query(before)).containsExactly("Jones", "Smith", "Brown");
    assertThat(Now.query(now)).containsExactly("Jones", "Smith", "Brown");
    assertThat(Before.pages(before)).isEqualTo(3);
    assertThat(Now.pages(now)).isEqualTo(3);
    assertThat(Before.resolved(before)).containsExactly("Jones", "Smith", "Brown");
    assertThat(Now.resolved(now)).containsExactly("Jones", "Smith", "Brown");
    assertThat(Before.dynamicAge(before)).isEqualTo(30);
    assertThat(Now.dynamicAge(now)).isEqualTo(30);
    Before.options(before, Before.employee("000126", "Hall"));
    assertThat(Now.options(LAZULI.connectionString()).buildClient().listTables()).isNotEmpty();
  }

  @Test
  void failuresAreTypes() throws StorageException {
    now.insert(Now.employee("000123", "Jones"));
    Now.Employee stale = Now.find(now).orElseThrow();
    Now.birthday(now);
    Now.Employee other = Now.employee("000199", "None");
    assertThatThrownBy(() -> now.insert(stale)).isInstanceOf(AlreadyExists.class);
    assertThatThrownBy(() -> now.replace(stale)).isInstanceOf(ConditionNotMet.class);
    assertThatThrownBy(() -> now.replace(other, Condition.any())).isInstanceOf(NotFound.class);
    assertThatIllegalArgumentException().isThrownBy(() -> now.replace(other));
    Before.Employee old = Before.employee("000123", "Jones");
    assertThatIllegalArgumentException().isThrownBy(() -> TableOperation.replace(old));
    assertThat(status(TableOperation.insert(old))).isEqualTo(409);
    old.setEtag(stale.eTag());
    assertThat(status(TableOperation.replace(old))).isEqualTo(412);
  }

  private int status(TableOperation operation) {
    return catchThrowableOfType(StorageException.class, () -> before.execute(operation))
        .getHttpStatusCode();
  }

  @Test
  void aBatchNamesTheWriteThatFailed() {
    now.insert(Now.employee("000124", "Smith"));
    BatchFailed failed =
        catchThrowableOfType(
            BatchFailed.class,
            () -> Now.batch(now, Now.employee("000124", "Smith"), Now.employee("000123", "Jones")));
    assertThat(failed.index()).isZero();
    assertThat(Now.find(now)).isEmpty();
  }

  @Test
  void theOldClientNamesTheFirstWriteOfABatch() throws StorageException {
    now.insert(Now.employee("000124", "Smith"));
    TableBatchOperation batch = new TableBatchOperation();
    batch.insert(Before.employee("000123", "Jones"));
    batch.insert(Before.employee("000124", "Smith"));
    TableServiceException failed =
        catchThrowableOfType(TableServiceException.class, () -> before.execute(batch));
    assertThat(batch.indexOf(failed.getOperation())).isZero();
    assertThat(failed.getExtendedErrorInformation().getErrorMessage()).startsWith("1:");
  }

  @Test
  void takeIsTheSizeOfAPage() {
    now.insert(Now.employee("000123", "Jones"));
    now.insert(Now.employee("000124", "Smith"));
    assertThat(before.execute(TableQuery.from(Before.Employee.class).take(1))).hasSize(2);
    assertThat(now.query(Query.all().segmentSize(1))).hasSize(2);
    assertThat(now.query(Query.all().top(1))).hasSize(1);
  }

  @Test
  void anIterationFailsWithTheErrorItself() throws StorageException {
    before.deleteIfExists();
    assertThatThrownBy(() -> Before.query(before))
        .isInstanceOf(NoSuchElementException.class)
        .hasCauseInstanceOf(StorageException.class);
    assertThatThrownBy(() -> Now.query(now))
        .isInstanceOf(HttpResponseException.class)
        .hasMessageContaining("TableNotFound");
  }

  @Test
  void aPropertyOfAnotherTypeFailsInsteadOfBeingIgnored() throws StorageException {
    now.insert(Now.employee("000123", "Jones"));
    DynamicTableEntity entity = stored();
    entity.getProperties().put("Age", new EntityProperty("thirty"));
    before.execute(TableOperation.replace(entity));
    assertThat(Optional.ofNullable(Before.find(before)).map(Before.Employee::getAge)).contains(0);
    assertThatThrownBy(() -> now.find(JONES)).isInstanceOf(MappingFailure.class);
  }

  @Test
  void membersThatAreNotSelectedAreNotThereInsteadOfDefaults() {
    now.insert(Now.employee("000123", "Jones"));
    assertThat(Before.projected(before)).map(Before.Employee::getAge).containsExactly(0);
    assertThat(Now.projected(now)).containsExactly(new Now.LastName("Sales", "000123", "Jones"));
  }
}
