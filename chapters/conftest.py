"""`make nbval` leaves out what cannot run here, and takes no port."""

from pathlib import Path

import nbval.kernel

from attn_book.model import left_out
from attn_book.notebooks.execution import own_sockets

collect_ignore = [path.name for path in left_out(Path(__file__).parent.parent)]


class _AtSockets(nbval.kernel.KernelManager):
    def start_kernel(self, **options):
        self.folder = own_sockets(self)
        super().start_kernel(**options)

    def shutdown_kernel(self, **options):
        super().shutdown_kernel(**options)
        self.folder.cleanup()


nbval.kernel.KernelManager = _AtSockets
