package io.lazuli.server.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.server.watch.RefusedFileException;
import java.security.SecureRandom;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AccountSetTest {
  private final AccountSet contoso = AccountSet.EMPTY.add("contoso", key(), key());

  @ParameterizedTest
  @ValueSource(strings = {"abc", "a1b", "123", "abcdefghijklmnopqrstuvwx"})
  void namesAreThoseOfAzure(String name) {
    assertThat(AccountSet.EMPTY.add(name, key(), key()).require(name).isEnabled()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "ab", "Abc", "a-b-c", "abc def", "äbc", "abcdefghijklmnopqrstuvwxy", "٣٤٥"})
  void otherNamesAreRefused(String name) {
    assertRefused(() -> AccountSet.EMPTY.add(name, key(), key()), "3 to 24 lower-case");
  }

  @Test
  void thePublicAccountAndItsKeyAreRefused() {
    AccountKey known = Account.development().keys().get(0);
    assertRefused(() -> AccountSet.EMPTY.add("devstoreaccount1", key(), key()), "public");
    assertRefused(() -> AccountSet.EMPTY.add("other", known, key()), "which is public");
    assertRefused(() -> AccountSet.EMPTY.add("other", key(), known), "which is public");
    assertRefused(() -> contoso.rotate("contoso", 1, known), "which is public");
  }

  @Test
  void anAccountIsAddedOnce() {
    assertRefused(() -> contoso.add("contoso", key(), key()), "already exists");
    assertRefused(() -> contoso.disable("contoso").add("contoso", key(), key()), "already exists");
  }

  @Test
  void rotationChangesOneKeyAndKeepsTheState() {
    AccountKey fresh = key();
    Account before = contoso.require("contoso");
    Account after = contoso.disable("contoso").rotate("contoso", 2, fresh).require("contoso");
    assertThat(after.keys()).containsExactly(before.keys().get(0), fresh);
    assertThat(after.state()).isEqualTo(Account.State.DISABLED);
  }

  @Test
  void aRemovedAccountHasNoKeysAndComesBackWhenAdded() {
    AccountSet removed = contoso.remove("contoso");
    assertThat(removed.accounts().get(0).keys()).isEmpty();
    assertRefused(() -> removed.require("contoso"), "contoso was removed");
    assertRefused(() -> removed.remove("contoso"), "contoso was removed");
    assertThat(removed.add("contoso", key(), key()).require("contoso").isEnabled()).isTrue();
  }

  @Test
  void aNameIsNotGivenAgainBeforeItsDataIsDropped() {
    AccountSet dropping = contoso.remove("contoso").removeWithData("contoso");
    assertRefused(() -> dropping.add("contoso", key(), key()), "still being dropped");
    AccountSet dropped = dropping.forgetDropped("contoso");
    assertThat(dropped).isEqualTo(AccountSet.EMPTY);
    assertThat(contoso.forgetDropped("contoso")).isSameAs(contoso);
  }

  @Test
  void newKeysHave64RandomBytes() {
    assertThat(Base64.getDecoder().decode(key().base64())).hasSize(64);
    assertThat(key().base64()).isNotEqualTo(key().base64());
  }

  private static void assertRefused(Runnable edit, String message) {
    assertThatThrownBy(edit::run)
        .isInstanceOf(RefusedFileException.class)
        .hasMessageContaining(message);
  }

  private static AccountKey key() {
    return AccountKey.random(new SecureRandom());
  }
}
