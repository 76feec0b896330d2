package io.lazuli.storage.contract;

/** What the parts of the contract stand on. */
interface EngineUnderTest {
  /** The engine of this test, with what makes it easy to use. */
  EngineFixture fixture();

  /** True if data outlives {@code close}. */
  boolean keepsData();
}
