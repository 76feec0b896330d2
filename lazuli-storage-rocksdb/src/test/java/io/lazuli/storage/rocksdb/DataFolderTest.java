package io.lazuli.storage.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.Durability;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.EngineOpenException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DataFolderTest {
  @TempDir Path root;

  @Test
  void aNewFolderNamesItsFormat() throws IOException {
    Path folder = root.resolve("new/data");
    open(folder).close();
    assertThat(folder.resolve("FORMAT")).hasContent("lazuli data format 2\n");
    assertThat(folder.resolve("rocksdb")).isDirectory();
    open(folder).close();
  }

  /** Before, other users of the machine could read everything. */
  @Test
  void aNewFolderIsForItsOwnerOnly() throws IOException {
    Path folder = root.resolve("new/data");
    open(folder).close();
    for (Path made : List.of(folder, folder.resolve("rocksdb"), folder.resolve("chunks"))) {
      assertThat(rights(made)).isEqualTo("rwx------");
    }
  }

  @Test
  void theRightsOfAnExistingFolderStay() throws IOException {
    Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
    open(root).close();
    assertThat(rights(root)).isEqualTo("rwxr-xr-x");
    assertThat(rights(root.resolve("rocksdb"))).isEqualTo("rwx------");
  }

  private static String rights(Path folder) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(folder));
  }

  @Test
  void unknownSettingsAreRefusedBeforeTheFolderIsMade() {
    Path folder = root.resolve("new");
    EngineConfig config = EngineConfig.of(folder);
    RocksDbEngineProvider provider = new RocksDbEngineProvider();
    assertThatThrownBy(() -> provider.open(config.withDurability(Durability.REPLICATED)))
        .isInstanceOf(EngineOpenException.class)
        .hasMessage("the engine rocksdb has no durability replicated; it has disk, relaxed");
    assertThatThrownBy(() -> provider.open(config.withEngineConfig(Path.of("site.xml"))))
        .isInstanceOf(EngineOpenException.class)
        .hasMessage("the engine rocksdb reads no settings; leave out site.xml");
    assertThat(folder).doesNotExist();
  }

  @Test
  void aNewerFormatIsRefusedAndLeftAsItIs() throws IOException {
    open(root).close();
    Files.writeString(root.resolve("FORMAT"), "lazuli data format 3\n");
    assertRefused(
        "has data format 3, but this server reads data formats up to 2: start the version");
    assertThat(root.resolve("FORMAT")).hasContent("lazuli data format 3\n");
  }

  @Test
  void anOlderFolderGetsTheNewNumberWhenItIsOpened() throws IOException {
    open(root).close();
    Files.writeString(root.resolve("FORMAT"), "lazuli data format 1\n");
    open(root).close();
    assertThat(root.resolve("FORMAT")).hasContent("lazuli data format 2\n");
  }

  /** A check of an older folder, or a start that is refused, must leave it to the older server. */
  @Test
  void aFolderThatIsNotOpenedKeepsItsNumber() throws IOException {
    open(root).close();
    Files.writeString(root.resolve("FORMAT"), "lazuli data format 1\n");
    assertThat(new RocksDbEngineProvider().verify(EngineConfig.of(root)).damage()).isEmpty();
    Files.writeString(root.resolve("rocksdb/CURRENT"), "");
    assertThatThrownBy(() -> open(root)).isInstanceOf(EngineOpenException.class);
    assertThat(root.resolve("FORMAT")).hasContent("lazuli data format 1\n");
  }

  @Test
  void aFormatThatIsNotOursIsRefused() throws IOException {
    open(root).close();
    for (String content :
        List.of(
            "", "1", "lazuli data format x", "lazuli data format 0", "lazuli data format 1 2")) {
      Files.writeString(root.resolve("FORMAT"), content);
      assertRefused("does not name a data format of Lazuli");
    }
  }

  @Test
  void aForeignFolderIsRefusedAndLeftAsItIs() throws IOException {
    Files.writeString(root.resolve("letter.txt"), "hello");
    assertRefused("holds files but no FORMAT");
    assertThat(names()).containsExactly("letter.txt");
  }

  @Test
  void aFirstStartThatWasCutOffIsBegunAgain() throws IOException {
    Files.createFile(root.resolve("LOCK"));
    Files.writeString(root.resolve("FORMAT.new"), "lazuli da");
    open(root).close();
    assertThat(root.resolve("FORMAT")).hasContent("lazuli data format 2\n");
  }

  @Test
  void accountsAndSettingsMayBeMadeBeforeTheFirstStart() throws IOException {
    Files.writeString(root.resolve("accounts"), "ours");
    Files.createFile(root.resolve("accounts.lock"));
    Files.writeString(root.resolve("lazuli.properties"), "table-port = 0");
    Files.writeString(root.resolve("roles"), "lazuli roles 1");
    Files.createDirectory(root.resolve("dev-identity"));
    open(root).close();
    assertThat(root.resolve("accounts")).hasContent("ours");
    assertThat(root.resolve("lazuli.properties")).hasContent("table-port = 0");
  }

  @Test
  void aFileInPlaceOfTheFolderIsRefused() throws IOException {
    Path file = Files.createFile(root.resolve("file"));
    assertThatThrownBy(() -> open(file))
        .isInstanceOf(EngineOpenException.class)
        .hasMessageContaining("cannot open the data folder " + file);
  }

  @Test
  void aSecondEngineInTheProcessIsRefused() {
    try (RocksDbEngine first = open(root)) {
      assertRefused("the data folder " + root + " is in use");
      assertThat(first.state().writable()).isTrue();
    }
    open(root).close();
  }

  @Test
  void aSecondProcessIsRefusedWithOneLine() throws IOException, InterruptedException {
    try (RocksDbEngine first = open(root)) {
      ChildJvm child = ChildJvm.start(List.of(), OpenAndClose.class, root.toString());
      assertThat(child.output())
          .containsExactly("the data folder " + root + " is in use by another running server");
      assertThat(child.process().waitFor()).isEqualTo(1);
    }
    ChildJvm child = ChildJvm.start(List.of(), OpenAndClose.class, root.toString());
    assertThat(child.output()).containsExactly("opened");
  }

  @Test
  void aDamagedDatabaseIsRefusedWithOneLine() throws IOException {
    open(root).close();
    Files.writeString(root.resolve("rocksdb/CURRENT"), "nonsense");
    assertRefused("cannot open the store in ");
  }

  /** A second server: opens the folder in another process. */
  static final class OpenAndClose {
    private OpenAndClose() {}

    public static void main(String[] arguments) {
      try {
        open(Path.of(arguments[0])).close();
        System.out.println("opened");
      } catch (EngineOpenException e) {
        System.out.println(e.getMessage());
        System.exit(1);
      }
    }
  }

  private static RocksDbEngine open(Path folder) {
    return RocksDbEngine.open(EngineConfig.of(folder).withMemoryBytes(32 << 20));
  }

  private void assertRefused(String reason) {
    assertThatThrownBy(() -> open(root))
        .isInstanceOf(EngineOpenException.class)
        .hasMessageContaining(reason)
        .hasMessageContaining(root.toString())
        .message()
        .hasLineCount(1);
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(root)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
