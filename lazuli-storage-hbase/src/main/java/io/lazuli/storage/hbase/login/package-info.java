/** Who this server is for the cluster: a name, or a login of Kerberos that is kept alive. */
@NullMarked
package io.lazuli.storage.hbase.login;

import org.jspecify.annotations.NullMarked;
