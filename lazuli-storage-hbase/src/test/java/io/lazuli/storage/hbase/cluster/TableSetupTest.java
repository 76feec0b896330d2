package io.lazuli.storage.hbase.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.hbase.call.StoreTable;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The shell commands for operators, parsed as HBase's shell parses them. */
class TableSetupTest {
  private static final Pattern CREATE =
      Pattern.compile("create '([^']+)', \\{NAME => 'd', (.+)\\}, \\{METADATA => \\{(.+)\\}\\}");
  private static final Pattern PAIR =
      Pattern.compile("(?:'([^']+)'|([A-Z_]+)) => (?:'([^']*)'|\"([^\"]*)\"|(\\d+))");

  @ParameterizedTest
  @EnumSource(StoreTable.class)
  void theShellCommandCreatesTheTableThatTheServerWouldCreate(StoreTable table) {
    String command = table.shellCommand("lazuli");
    assertThat(command).as("can be typed").matches("[ -~]+");
    Matcher parts = CREATE.matcher(command);
    assertThat(parts.matches()).as(command).isTrue();
    ColumnFamilyDescriptorBuilder family =
        ColumnFamilyDescriptorBuilder.newBuilder(StoreTable.FAMILY).setNewVersionBehavior(false);
    for (Matcher pair = PAIR.matcher(parts.group(2)); pair.find(); ) {
      family.setValue(pair.group(2), value(pair));
    }
    TableDescriptorBuilder made =
        TableDescriptorBuilder.newBuilder(TableName.valueOf(parts.group(1)))
            .setColumnFamily(family.build());
    for (Matcher pair = PAIR.matcher(parts.group(3)); pair.find(); ) {
      made.setValue(pair.group(1), value(pair));
    }
    TableDescriptor built = made.build();
    assertThat(TableSetup.faults(built)).isEmpty();
    assertThat(TableDescriptor.COMPARATOR.compare(built, table.descriptor("lazuli")))
        .as("%s against %s", built, table.descriptor("lazuli"))
        .isZero();
  }

  @Test
  void onlyMissingTablesArePrinted() {
    String commands =
        TableSetup.shellCommands("other", List.of(StoreTable.QUEUES, StoreTable.CHUNKS));
    assertThat(commands.lines()).hasSize(3).first().isEqualTo("create_namespace 'other'");
    assertThat(commands).contains("create 'other:queues', ", "create 'other:chunks', ");
  }

  @ParameterizedTest
  @EnumSource(StoreTable.class)
  void aTableOfAnOlderVersionIsAcceptedAndCanBeAltered(StoreTable table) {
    ColumnFamilyDescriptorBuilder old =
        ColumnFamilyDescriptorBuilder.newBuilder(
                table.descriptor("lazuli").getColumnFamily(StoreTable.FAMILY))
            .setDataBlockEncoding(DataBlockEncoding.FAST_DIFF)
            .setBlocksize(1 << 16);
    TableDescriptor older =
        TableDescriptorBuilder.newBuilder(table.descriptor("lazuli"))
            .modifyColumnFamily(old.build())
            .build();
    assertThat(TableSetup.faults(older)).isEmpty();
    assertThat(table.hasOwnBlocks(old.build())).isFalse();
    for (Matcher pair = PAIR.matcher(table.alterCommand("lazuli")); pair.find(); ) {
      if (!pair.group(2).equals("NAME")) {
        old.setValue(pair.group(2), value(pair));
      }
    }
    assertThat(table.hasOwnBlocks(old.build())).isTrue();
  }

  /** Ruby takes text in single quotes literally, and processes escapes in double quotes. */
  private static String value(Matcher pair) {
    if (pair.group(3) != null) {
      return pair.group(3);
    }
    return pair.group(4) == null ? pair.group(5) : pair.group(4).replace("\\x00", "\0");
  }
}
