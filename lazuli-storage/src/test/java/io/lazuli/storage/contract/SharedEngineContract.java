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
 * The promises that hold whoever asks, also when several servers are asked in turns. What is true
 * of one server only, its lane, its clock and its threads, is in {@link StorageEngineContract}.
 */
@Timeout(300)
public abstract class SharedEngineContract
    implements TransactionContract, ScanContract, ScanMomentContract, DropContract, ChunkContract {
  private EngineFixture fixture;

  /** Opens the engine on the folder, clock and bounds of the configuration. */
  protected abstract StorageEngine open(EngineConfig config);

  /** How many records of the space the engine still holds, whether it was dropped or not. */
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
