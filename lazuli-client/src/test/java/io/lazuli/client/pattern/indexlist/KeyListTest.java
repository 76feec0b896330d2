package io.lazuli.client.pattern.indexlist;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class KeyListTest {
  @Test
  void keysKeepTheirOrderWithoutDuplicates() {
    KeyList list = KeyList.EMPTY.with("b").with("a").with("c").with("b").without("a").with("a");
    assertThat(list.inOrder()).containsExactly("b", "c", "a");
    assertThat(list.with("c")).isSameAs(list);
    assertThat(list.without("x")).isSameAs(list);
  }

  @Test
  void listsRoundTrip() {
    KeyList list = KeyList.EMPTY.with("").with("é€😀").with("plain 'key'").with("a\tb");
    assertThat(KeyList.parse(list.bytes()).inOrder()).isEqualTo(list.inOrder());
    assertThat(KeyList.parse(new byte[0])).isEqualTo(KeyList.EMPTY);
    assertThat(KeyList.EMPTY.bytes()).isEmpty();
  }
}
