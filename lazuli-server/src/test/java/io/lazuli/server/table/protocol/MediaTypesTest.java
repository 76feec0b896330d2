package io.lazuli.server.table.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.server.error.ServiceException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MediaTypesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "application/json;odata=nometadata, application/json;odata=fullmetadata | NONE",
        "application/json;odata=nometadata;q=0.1, application/json;odata=fullmetadata;q=0.9 | FULL",
        "application/json;q=0.9, application/json;odata=nometadata | NONE",
        "application/json;odata=verbose, application/json;odata=fullmetadata;q=0.1 | FULL",
        "application/atom+xml, application/json;odata=nometadata;q=0.5 | NONE",
        "application/json;odata=nometadata;q=much, application/json;q=0.9 | NONE",
      })
  void theBestJsonEntryIsTaken(String accept, MetadataLevel level) {
    assertThat(MediaTypes.level(null, accept)).isEqualTo(level);
  }

  @ParameterizedTest
  @CsvSource({
    "application/json;odata=\"fullmetadata\", FULL",
    "APPLICATION/JSON; OData = NoMetadata, NONE",
    "application/json;charset=utf-8;odata=nometadata, NONE",
    "application/json;odata=unheardof, MINIMAL",
  })
  void parametersAreReadAsHttpWritesThem(String accept, MetadataLevel level) {
    assertThat(MediaTypes.level(null, accept)).isEqualTo(level);
  }

  @Test
  void quotedVerboseIsRefusedToo() {
    assertThatThrownBy(() -> MediaTypes.level(null, "application/json;odata=\"verbose\""))
        .isInstanceOf(ServiceException.class);
  }
}
