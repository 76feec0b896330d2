package io.lazuli.client.pattern.key;

import static io.lazuli.client.pattern.key.KeyPart.literal;
import static io.lazuli.client.pattern.key.KeyPart.number;
import static io.lazuli.client.pattern.key.KeyPart.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.NotRehearsed;
import io.lazuli.client.TestAccount;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.query.Explanation;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.Table;
import java.time.LocalDate;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class KeyFormatTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  private static final long SEED = System.nanoTime();

  /**
   * The escaped characters, their neighbours, characters that are special in the code, and a few
   * others.
   */
  private static final String ALPHABET =
      "\0\n\u001f !\"#$%&',-./0129:;>?@AZ[\\]^_`az{|}~\u007f\u0085\u009f\u00a0\u00e9\ud83d\uffee";

  // snippet
  record ReviewId(int employee, int year) {}

  static final KeyFormat<ReviewId> REVIEWS =
      KeyFormat.of(ReviewId.class, literal("empid"), number(6), number(4));

  // end

  record Review(
      @PartitionKey String department,
      @RowKey String id,
      @Nullable Integer managerRating,
      @Nullable String comments) {}

  record Two(String first, String second) {}

  record Dated(LocalDate day, long number) {}

  @Test
  void aKeyEqualsTheOneInTheGuide() {
    assertThat(REVIEWS.format(new ReviewId(123, 2012))).isEqualTo("empid_000123_2012");
    assertThat(REVIEWS.parse("empid_000123_2012")).isEqualTo(new ReviewId(123, 2012));
  }

  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void theReviewsOfAnEmployeeAreOneRangeQuery() {
    TestClient client = TestClient.of(ACCOUNT);
    Table<Review> table = Table.of(client.table(client.newTable()), Review.class);
    for (ReviewId id :
        List.of(
            new ReviewId(122, 2013),
            new ReviewId(123, 2012),
            new ReviewId(123, 2011),
            new ReviewId(1230, 2012))) {
      table.insert(new Review("Sales", REVIEWS.format(id), 7, "steady"));
    }
    // snippet
    Query reviews = REVIEWS.query("Sales", 123).select("ManagerRating");
    List<Review> found = table.query(reviews).toList();
    // end
    assertThat(found)
        .containsExactly(
            new Review("Sales", "empid_000123_2011", 7, null),
            new Review("Sales", "empid_000123_2012", 7, null));
    Query asInTheGuide = REVIEWS.between("Sales", List.of(123), List.of(124));
    assertThat(asInTheGuide.toString())
        .isEqualTo(
            "PartitionKey eq 'Sales' and RowKey ge 'empid_000123' and RowKey lt 'empid_000124'");
    assertThat(table.query(asInTheGuide.select("ManagerRating")).toList()).isEqualTo(found);
    assertThat(client.count(() -> table.query(reviews).forEach(review -> {}))).isEqualTo(1);
  }

  @Test
  void aQueryReportsItsKind() {
    assertThat(REVIEWS.query("Sales", 123).explain().kind()).isEqualTo(Explanation.Kind.ROW_RANGE);
    assertThat(REVIEWS.query("Sales", 123, 2012).explain().kind())
        .isEqualTo(Explanation.Kind.POINT);
    assertThat(REVIEWS.prefix()).isEqualTo("empid_");
    assertThat(REVIEWS.prefix(123)).isEqualTo("empid_000123_");
    assertThat(REVIEWS.prefix(123, 2012)).isEqualTo("empid_000123_2012");
  }

  @Test
  void partsMayBeOfOtherTypes() {
    KeyFormat<Dated> format =
        KeyFormat.of(
                Dated.class,
                KeyPart.of(LocalDate.class, LocalDate::toString, LocalDate::parse),
                number(18))
            .separatedBy('|');
    Dated value = new Dated(LocalDate.of(2026, 7, 31), 999_999_999_999_999_999L);
    assertThat(format.format(value)).isEqualTo("2026-07-31|999999999999999999");
    assertThat(format.parse(format.format(value))).isEqualTo(value);
  }

  @Test
  void anyTextRoundTrips() {
    Random random = new Random(SEED);
    for (char separator : new char[] {'_', '-', '|'}) {
      KeyFormat<Two> format = KeyFormat.of(Two.class, text(), text()).separatedBy(separator);
      for (int i = 0; i < 5_000; i++) {
        Two value = new Two(anyText(random, random.nextInt(6)), anyText(random, random.nextInt(6)));
        String key = format.format(value);
        assertThat(format.parse(key)).as("seed %d", SEED).isEqualTo(value);
        assertThat(key).doesNotContainPattern("[/\\\\#?\\x00-\\x1f\\x7f-\\x9f]");
      }
    }
  }

  @Test
  void keysSortLikeTheirPartsOfEqualLength() {
    Random random = new Random(SEED);
    for (char separator : new char[] {'_', '-', '|'}) {
      KeyFormat<Two> format = KeyFormat.of(Two.class, text(), text()).separatedBy(separator);
      for (int i = 0; i < 5_000; i++) {
        int length = random.nextInt(4);
        Two one = new Two(anyText(random, length), anyText(random, 3));
        Two other =
            new Two(
                random.nextBoolean() ? one.first() : anyText(random, length), anyText(random, 3));
        assertThat(Integer.signum(format.format(one).compareTo(format.format(other))))
            .as("%s and %s, seed %d", one, other, SEED)
            .isEqualTo(Integer.signum(compare(one, other)));
      }
    }
  }

  @Test
  void theQueryForAFirstPartFindsExactlyItsEntities() {
    TestClient client = TestClient.of(ACCOUNT);
    Table<TableEntity> table = Table.of(client.table(client.newTable()), EntityCodec.dynamic());
    KeyFormat<Two> format = KeyFormat.of(Two.class, text(), text());
    List<String> firsts = List.of("a", "a_", "a_b", "a/", "ab", "A", "", "a\n", "a \u0080?#\\");
    for (String first : firsts) {
      for (String second : List.of("", "_", "x y/z")) {
        table.insert(new TableEntity("p", format.format(new Two(first, second))));
      }
    }
    for (String first : firsts) {
      assertThat(table.query(format.query("p", first)))
          .extracting(entity -> format.parse(entity.getRowKey()))
          .containsExactlyInAnyOrder(
              new Two(first, ""), new Two(first, "_"), new Two(first, "x y/z"));
      EntityKey key = new EntityKey("p", format.format(new Two(first, "x y/z")));
      assertThat(table.find(key)).isPresent();
    }
  }

  @Test
  void invalidKeysAreRejected() {
    rejected(() -> REVIEWS.format(new ReviewId(1_000_000, 2012)), "6 digits");
    rejected(() -> REVIEWS.format(new ReviewId(-1, 2012)), "-1");
    rejected(() -> REVIEWS.prefix("123"), "Number, not a String");
    rejected(() -> REVIEWS.prefix(1, 2, 3), "too many");
    for (String key :
        List.of("", "empid_000123", "empid_123_2012", "x_000123_2012", "empid_+00123_2012")) {
      rejected(() -> REVIEWS.parse(key), "");
    }
    KeyFormat<Two> format = KeyFormat.of(Two.class, text(), text());
    for (String key : List.of("a_b~", "a_b~zz", "a_b.", "a_b.x", "a_b 41", "a_b ", "a_b/")) {
      rejected(() -> format.parse(key), "not an escaped part");
    }
    rejected(() -> format.format(new Two("\ud83d", "")), "surrogate");
    rejected(() -> format.format(new Two("a".repeat(1_000), "a".repeat(24))), "1,024");
    rejected(() -> format.separatedBy('/'), "separator");
    rejected(() -> KeyFormat.of(Two.class, text()), "components");
    rejected(() -> KeyFormat.of(Two.class, text(), number(3)), "second");
  }

  private static void rejected(Runnable act, String words) {
    assertThatThrownBy(act::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(words);
  }

  private static int compare(Two one, Two other) {
    int first = one.first().compareTo(other.first());
    return first != 0 ? first : one.second().compareTo(other.second());
  }

  private static String anyText(Random random, int length) {
    return IntStream.range(0, length)
        .mapToObj(i -> ALPHABET.charAt(random.nextInt(ALPHABET.length())))
        .flatMap(each -> each == '\ud83d' ? Stream.of('\ud83d', '\ude00') : Stream.of(each))
        .limit(length)
        .map(String::valueOf)
        .collect(Collectors.joining())
        .replaceAll("\ud83d$", "z");
  }
}
