package io.lazuli.storage.hbase;

import org.junit.jupiter.api.Tag;

/** Cuts of a cluster on HDFS, where chunks of several pieces are files. */
@Tag("long")
class HdfsCutIT extends HBaseCutIT {
  @Override
  TestCluster cluster() {
    return TestCluster.onHdfs();
  }
}
