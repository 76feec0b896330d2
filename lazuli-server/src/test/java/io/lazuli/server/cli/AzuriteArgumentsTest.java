package io.lazuli.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How Azurite 3.37.0 was observed to parse command lines. */
class AzuriteArgumentsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|''",
        "--location /data|--location=/data",
        "--location=/data|--location=/data",
        "-l /data|--location=/data",
        "-l=/data|--location=/data",
        "-sl /data|--location=/data --silent=",
        "-s -L -d x|--debug=x --loose= --silent=",
        "--silent --location /data|--location=/data --silent=",
        "--skipApiVersionCheck true --blobPort 0|--blobPort=0 --skipApiVersionCheck=true",
        "--blobPort 1 --blobPort 2|--blobPort=2",
        "--debug --silent|--debug= --silent=",
        "start now --blobPort 1|--blobPort=1",
        "--blobPort 1 -- --bogus|--blobPort=1",
        "- --blobPort 1|--blobPort=1",
      })
  void aLineIsParsedAsAzuriteParsesIt(String line, String expected) {
    AzuriteArguments found = AzuriteArguments.parse(List.of(line.split(" ", -1)));
    assertThat(found.unknown()).isNull();
    assertThat(found.values()).isEqualTo(values(expected));
  }

  @ParameterizedTest
  @CsvSource({"--bogus,bogus", "--silent -x,x", "--BlobPort 1,BlobPort", "--no-silent,no-silent"})
  void anOptionThatAzuriteDoesNotHaveIsUnknown(String line, String unknown) {
    assertThat(AzuriteArguments.parse(List.of(line.split(" ", -1))).unknown()).isEqualTo(unknown);
  }

  private static Map<AzuriteOption, String> values(String text) {
    return List.of(text.split(" ", -1)).stream()
        .filter(part -> !part.isEmpty())
        .map(part -> part.split("=", 2))
        .collect(Collectors.toMap(part -> AzuriteOption.find(part[0].substring(2)), p -> p[1]));
  }
}
