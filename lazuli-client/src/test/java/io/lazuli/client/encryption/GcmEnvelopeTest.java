package io.lazuli.client.encryption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import javax.crypto.AEADBadTagException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Values and lists of names are each bound to their own location. */
class GcmEnvelopeTest {
  private static final Envelope ENVELOPE =
      GcmEnvelope.FORMAT.create(new WrappedKey("k", "A256KW", new byte[40]));
  private static final byte[] CONTENT_KEY = new byte[32];
  private static final Place PLACE = new Place("table", "part", "row", "Name");

  @ParameterizedTest
  @CsvSource({
    "tabl, part, row, Name",
    "table, other, row, Name",
    "table, part, other, Name",
    "table, part, row, Other",
    "table, row, part, Name",
    "tablep, art, row, Name",
    "table, par, trow, Name",
    "table, partr, ow, Name",
    "table, part, ro, wName",
    "table, partrow, '', Name"
  })
  void nothingOpensInAnotherPlace(String table, String partition, String row, String property)
      throws Exception {
    Place other = new Place(table, partition, row, property);
    byte[] value = ENVELOPE.encrypt(CONTENT_KEY, PLACE, new byte[] {1});
    byte[] names = ENVELOPE.encryptNames(CONTENT_KEY, PLACE, List.of("Name"));
    assertThat(ENVELOPE.decrypt(CONTENT_KEY, PLACE, value)).containsExactly(1);
    assertThat(ENVELOPE.decryptNames(CONTENT_KEY, PLACE, names)).containsExactly("Name");
    assertThatThrownBy(() -> ENVELOPE.decrypt(CONTENT_KEY, other, value))
        .isInstanceOf(AEADBadTagException.class);
    assertThatThrownBy(() -> ENVELOPE.decryptNames(CONTENT_KEY, other, names))
        .isInstanceOf(AEADBadTagException.class);
  }

  @Test
  void aValueIsNotAcceptedAsAListOfNames() throws Exception {
    byte[] value = ENVELOPE.encrypt(CONTENT_KEY, PLACE, new byte[0]);
    byte[] names = ENVELOPE.encryptNames(CONTENT_KEY, PLACE, List.of());
    assertThatThrownBy(() -> ENVELOPE.decryptNames(CONTENT_KEY, PLACE, value))
        .isInstanceOf(AEADBadTagException.class);
    assertThatThrownBy(() -> ENVELOPE.decrypt(CONTENT_KEY, PLACE, names))
        .isInstanceOf(AEADBadTagException.class);
  }
}
