package io.lazuli.storage.hbase.commit;

/** What is known about other transactions that write to the same records. */
interface Contention {
  /** For transactions that compete with nobody on this server. */
  Contention NONE =
      new Contention() {
        @Override
        public void conflict() {}

        @Override
        public boolean isContended() {
          return false;
        }
      };

  /** Records that a commit was refused because another transaction was faster. */
  void conflict();

  /** Returns true if commits to the partition were refused a short time ago. */
  boolean isContended();
}
