package io.lazuli.server.design;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.server.error.ServiceException;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ModelTest {
  private static Property property(String name, Type type) {
    return new Property(name, type, type.usualBytes(), false, 0, 0, null);
  }

  private static EntityType order() {
    return new EntityType(
        "Order",
        1_000_000,
        List.of("number"),
        List.of(
            property("number", Type.STRING),
            property("customer", Type.STRING),
            property("placed at", Type.DATETIME),
            property("cents", Type.DOUBLE)));
  }

  private static Access parse(String sentence) {
    return Model.of(List.of(order()), List.of(sentence)).accesses().get(0);
  }

  @Test
  void aSentenceMayHaveEveryPart() {
    Access access = parse("LIST order BY customer newest first 20 1,500.5/min");
    assertThat(access.entity()).isEqualTo("Order");
    assertThat(access.by()).containsExactly("customer");
    assertThat(access.order()).isEqualTo("placed at");
    assertThat(access.descending()).isTrue();
    assertThat(access.limit()).isEqualTo(20);
    assertThat(access.perSecond()).isEqualTo(1500.5 / 60);
  }

  @Test
  void namesWithSpacesStandInQuotes() {
    assertThat(parse("list Order by customer between 'placed at'").range()).isEqualTo("placed at");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "fetch Order by number",
        "read",
        "read Customer by number",
        "read Order",
        "read Order by nothing",
        "read Order by cents",
        "read Order by number newest first",
        "read Order by number fast",
        "list Order by customer first none",
        "list Order by customer between number between customer",
        "delete Order older than 5 weeks",
        "read Order by number with customer",
        "insert Order changing customer",
        "list Order by customer between 'placed at",
        "list Order by 'customer",
        "read Order by number'",
        "read Order by number 5/s '",
        "read Order by number, number",
        "list Order by customer starting with 'placed at'",
      })
  void otherSentencesAreRefused(String sentence) {
    assertThatThrownBy(() -> parse(sentence))
        .isInstanceOf(ServiceException.class)
        .hasMessageContaining("InvalidModel");
  }

  private static String why(ServiceException refusal) {
    return refusal.details().get("why");
  }

  @Test
  void anUnclosedQuoteIsNamed() {
    assertThatThrownBy(() -> parse("list Order by customer between 'placed at 5/s"))
        .isInstanceOfSatisfying(
            ServiceException.class,
            e -> assertThat(why(e)).startsWith("Access 1: a quote is not closed."));
  }

  /** Whatever is written, a sentence is understood or refused with its number. */
  @Test
  void randomSentencesAreUnderstoodOrRefused() {
    String[] words = {
      "read", "list", "update", "delete", "order", "Order", "'Order'", "by", "customer", "number",
      "'placed at'", "cents", ",", "'", "''", "between", "starting", "with", "newest", "oldest",
      "first", "ordered", "descending", "changing", "older", "than", "days", "10", "1,000", "0",
      "99999999999", "5/s", "1.5/min", "1,5/h", "5/week", "/", "-1", "\u00e9", "\t", "1/"
    };
    long seed = System.nanoTime();
    Random random = new Random(seed);
    int understood = 0;
    for (int i = 0; i < 20_000; i++) {
      StringBuilder sentence = new StringBuilder(random.nextInt(4) > 0 ? "list Order by " : "");
      for (int j = random.nextInt(9); j > 0; j--) {
        sentence.append(words[random.nextInt(words.length)]);
        sentence.append(random.nextInt(8) > 0 ? " " : "");
      }
      try {
        Access access = parse(sentence.toString());
        assertThat(parse(access.text())).as("seed %d: %s", seed, sentence).isEqualTo(access);
        understood++;
      } catch (ServiceException e) {
        assertThat(why(e)).as("seed %d: %s", seed, sentence).startsWith("Access 1: ");
      }
    }
    assertThat(understood).as("seed %d", seed).isGreaterThan(20);
  }

  /** The ten newest of ten: sorting costs little, but more than keys that are sorted. */
  @Test
  void keysInOrderAreBetterThanSorting() {
    EntityType claim =
        new EntityType(
            "Claim",
            1_000_000,
            List.of("claim"),
            List.of(
                new Property("claim", Type.STRING, 32, true, 0, 0, null),
                new Property("empid", Type.STRING, 6, false, 100_000, 0, null),
                property("submitted", Type.DATETIME)));
    Proposal proposal =
        Proposals.of(
                Model.of(
                    List.of(claim),
                    List.of("list Claim by empid newest first 10 50/s", "insert Claim 2/s")))
            .get(0);
    assertThat(Keys.template(proposal.tables().get(0).keys().row()))
        .isEqualTo("{submitted, reversed ticks}_{claim}");
    assertThat(proposal.tables().get(0).plans().get(0).sorts()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\u65e5\u672c", "12", "a'b", "a\nb"})
  void namesWithoutALetterAreRefused(String name) {
    assertThatThrownBy(() -> property(name, Type.STRING)).isInstanceOf(ServiceException.class);
  }

  @Test
  void figuresAndCountsAreBounded() {
    List<EntityType> many = Collections.nCopies(17, order());
    assertThatThrownBy(() -> new Model(many, List.of())).isInstanceOf(ServiceException.class);
    List<String> sentences = Collections.nCopies(65, "insert Order");
    assertThatThrownBy(() -> Model.of(List.of(order()), sentences))
        .isInstanceOf(ServiceException.class);
    assertThatThrownBy(() -> new EntityType("A", 0, List.of("b"), order().properties()))
        .isInstanceOf(ServiceException.class);
    assertThatThrownBy(() -> new Property("a", Type.STRING, -1, false, 0, 0, null))
        .isInstanceOf(ServiceException.class);
  }

  @Test
  void twoNamesThatBecomeOneAreRefused() {
    List<Property> same = List.of(property("a b", Type.STRING), property("AB", Type.STRING));
    assertThatThrownBy(() -> new EntityType("A", 1, List.of("a b"), same))
        .isInstanceOf(ServiceException.class);
  }

  @Test
  void aPropertyThatChangesIsNotInAKey() {
    Proposal proposal =
        Proposals.of(
                Model.of(
                    List.of(order()),
                    List.of(
                        "list Order by customer 10/s",
                        "read Order by number 1/s",
                        "update Order changing customer 1/day")))
            .get(0);
    assertThat(proposal.tables().get(0).keys().partitionProperties()).containsExactly("number");
  }

  @Test
  void copiesThatCostMoreThanTheySaveAreNotProposed() {
    Proposal proposal =
        Proposals.of(
                Model.of(
                    List.of(order()),
                    List.of(
                        "read Order by number 10/s",
                        "list Order by customer 1/day",
                        "update Order 5,000/s")))
            .get(0);
    assertThat(proposal.tables().get(0).paths()).isEmpty();
    assertThat(proposal.warnings()).anyMatch(w -> w.kind() == Warning.Kind.SCAN);
  }

  /** The largest model that is allowed is answered within a moment. */
  @Test
  void aLargeModelIsBounded() {
    List<String> sentences =
        Collections.nCopies(64, "list Order by number, customer between 'placed at' 1/s");
    assertThat(Proposals.of(Model.of(List.of(order()), sentences))).isNotEmpty();
  }
}
