package io.lazuli.storage.hbase;

import org.junit.jupiter.api.Tag;

/** The whole contract on HDFS, where chunks of several pieces are files. */
@Tag("long")
class HdfsContractIT extends HBaseEngineContractIT {
  @Override
  TestCluster cluster() {
    return TestCluster.onHdfs();
  }
}
