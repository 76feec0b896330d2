package io.lazuli.server.design;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.server.error.ServiceException;
import java.util.Collections;
import java.util.List;
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
      })
  void otherSentencesAreRefused(String sentence) {
    assertThatThrownBy(() -> parse(sentence))
        .isInstanceOf(ServiceException.class)
        .hasMessageContaining("InvalidModel");
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
