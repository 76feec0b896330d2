package io.lazuli.storage.contract;

import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageEngine;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The promises that hold on every server, even if a client asks several servers in turn. The
 * promises about the lane, the clock and the threads of one server are in {@link
 * StorageEngineContract}.
 */
@Timeout(300)
public abstract class SharedEngineContract
    implements TransactionContract,
        InsertContract,
        ScanContract,
        ScanMomentContract,
        FutureContract,
        DropContract,
        ChunkContract {
  private EngineFixture fixture;

  /** Opens the engine with the folder, clock and bounds of the configuration. */
  protected abstract StorageEngine open(EngineConfig config);

  /** Returns the number of stored records of a space, whether it was dropped or not. */
  protected abstract long storedRecords(StorageEngine engine, Space space);

  @Override
  public boolean keepsData() {
    return false;
  }

  @Override
  public final EngineFixture fixture() {
    return fixture;
  }

  @BeforeEach
  final void openEngine(@TempDir Path folder) {
    fixture = new EngineFixture(EngineConfig.of(folder), this::open, this::storedRecords);
  }

  @AfterEach
  final void closeEngine() {
    fixture.close();
  }
}
